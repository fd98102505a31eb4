package io.s3rdma.client.cli;

import io.s3rdma.client.ByteRange;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.TransferResult;
import io.s3rdma.rdma.TransferBuffer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

@Command(
    name = "get",
    description = {
      "Reads an object into memory, by RDMA where it can, and writes that to a file.",
      "The file appears whole or not at all."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  s3rdma get s3://models/llama.safetensors",
      "  s3rdma get --rdma require --json s3://models/a.bin /tmp/a.bin",
      "  s3rdma get s3://logs/day.txt - | head"
    })
final class GetCommand extends ClientCommand {
  private static final long PART_BYTES_MAX = 1L << 32;
  private static final String STDOUT = "-";

  @Parameters(
      index = "0",
      paramLabel = "s3://BUCKET/KEY",
      converter = S3Uri.OfObject.class,
      description = "the object")
  private S3Uri object;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description =
          "file or folder, - for standard output (the result then goes to standard error);"
              + " else the key's last part")
  private String file;

  @Option(
      names = "--memory",
      paramLabel = "KIND",
      defaultValue = "host",
      converter = Memory.Converter.class,
      description = "what the object is received in: host, pinned or gpu:N (${DEFAULT-VALUE})")
  private Memory memory;

  @Option(
      names = "--part-bytes",
      paramLabel = "N",
      defaultValue = "67108864",
      description = "bytes a request, and memory used (${DEFAULT-VALUE})")
  private long partBytes;

  @Override
  int run(S3RdmaClient client) throws IOException {
    if (partBytes < 1 || partBytes >= PART_BYTES_MAX) {
      throw new UsageException("--part-bytes must be from 1 to " + (PART_BYTES_MAX - 1));
    }
    HeadObjectResponse head =
        client.s3().headObject(b -> b.bucket(object.bucket()).key(object.key()));
    if (STDOUT.equals(file)) {
      try (WritableByteChannel out = new FileOutputStream(FileDescriptor.out).getChannel()) {
        TransferReport report = transfer(client, head, out, "standard output");
        printAside(report.line(), report.json());
      }
      return ExitCode.OK;
    }
    Path target = target();
    try (AtomicFile out = AtomicFile.create(target)) {
      TransferReport report = transfer(client, head, out, target.toString());
      out.commit();
      print(report.line(), report.json());
    }
    return ExitCode.OK;
  }

  private Path target() {
    Path given = Path.of(file == null ? "." : file);
    if (!Files.isDirectory(given)) {
      return given;
    }
    if (object.fileName().isEmpty()) {
      throw new UsageException(object + " ends in a slash; name the FILE to write");
    }
    return given.resolve(object.fileName()).normalize();
  }

  private TransferReport transfer(
      S3RdmaClient client, HeadObjectResponse head, WritableByteChannel out, String name)
      throws IOException {
    TransferReport report = new TransferReport("get", object, name, memory);
    long size = head.contentLength();
    if (size == 0) {
      return report;
    }
    // Parts belong together only as long as the object is the same.
    GetObjectRequest request =
        GetObjectRequest.builder()
            .bucket(object.bucket())
            .key(object.key())
            .ifMatch(head.eTag())
            .build();
    try (TransferBuffer buffer = memory.allocate(Math.min(partBytes, size));
        Progress progress = Progress.onTerminal(err(), "get " + object.fileName(), size)) {
      for (long offset = 0; offset < size; offset += partBytes) {
        long length = Math.min(partBytes, size - offset);
        long start = System.nanoTime();
        TransferResult result = client.getObject(request, new ByteRange(offset, length), buffer);
        report.add(result, (System.nanoTime() - start) / 1e9);
        if (result.bytes() != length) {
          throw new IOException(
              result.bytes() + " bytes came where " + length + " were asked for; run it again");
        }
        Memory.write(buffer, length, out);
        progress.advance(length);
      }
    }
    return report;
  }
}
