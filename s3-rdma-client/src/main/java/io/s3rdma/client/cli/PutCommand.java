package io.s3rdma.client.cli;

import io.s3rdma.client.PartSource;
import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.S3RdmaClientBuilder;
import io.s3rdma.client.TransferResult;
import io.s3rdma.client.Transport;
import io.s3rdma.rdma.TransferBuffer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

@Command(
    name = "put",
    description = {
      "Reads a file into memory and stores it as an object, by RDMA where it can.",
      "The memory used is the file's size."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  s3rdma mb s3://models",
      "  s3rdma put llama.safetensors s3://models/llama.safetensors",
      "  s3rdma put --rdma require --json a.bin s3://models/"
    })
final class PutCommand extends ClientCommand {
  @Parameters(index = "0", paramLabel = "FILE", description = "the file")
  private Path file;

  @Parameters(
      index = "1",
      paramLabel = "s3://BUCKET/KEY",
      converter = S3Uri.Any.class,
      description = "the object; a key that is empty or ends in / gets the file's name behind it")
  private S3Uri target;

  @Option(
      names = "--memory",
      paramLabel = "KIND",
      defaultValue = "host",
      converter = Memory.Converter.class,
      description = "what the object is sent from: host, pinned or gpu:N (${DEFAULT-VALUE})")
  private Memory memory;

  @Option(
      names = "--part-bytes",
      paramLabel = "N",
      defaultValue = "67108864",
      description =
          "a larger file goes as a multipart upload of such parts, 4 at once; memory used is 4 of"
              + " them (${DEFAULT-VALUE}, at least 5242880)")
  private long partBytes;

  @Override
  void configure(S3RdmaClientBuilder builder) {
    try {
      builder.partBytes(partBytes);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--part-bytes: " + e.getMessage());
    }
  }

  @Override
  int run(S3RdmaClient client) throws IOException {
    S3Uri object = object();
    TransferReport report = new TransferReport("put", object, file.toString(), memory);
    PutObjectRequest request =
        PutObjectRequest.builder().bucket(object.bucket()).key(object.key()).build();
    long size = Files.size(file);
    if (size == 0) {
      empty(client, request, report);
    } else if (size > partBytes) {
      inParts(client, request, size, report);
    } else {
      fromMemory(client, request, size, report);
    }
    print(report.line(), report.json());
    return ExitCode.OK;
  }

  private S3Uri object() {
    boolean folder = target.isBucket() || target.key().endsWith("/");
    return folder
        ? new S3Uri(target.bucket(), target.key() + file.toAbsolutePath().getFileName())
        : target;
  }

  private void fromMemory(
      S3RdmaClient client, PutObjectRequest request, long size, TransferReport report)
      throws IOException {
    try (TransferBuffer buffer = memory.allocate(size)) {
      try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
          Progress progress = Progress.onTerminal(err(), "read " + file.getFileName(), size)) {
        Memory.read(from, buffer, size, progress::advance);
      }
      long start = System.nanoTime();
      TransferResult result = client.putObject(request, buffer, size);
      report.add(result, (System.nanoTime() - start) / 1e9);
    }
  }

  /** A part of the file at a time in memory for each connection. */
  private void inParts(
      S3RdmaClient client, PutObjectRequest request, long size, TransferReport report)
      throws IOException {
    long start = System.nanoTime();
    try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
        Progress progress = Progress.onTerminal(err(), "put " + file.getFileName(), size)) {
      PartSource source =
          (offset, length, buffer) -> {
            Memory.read(Memory.at(from, offset), buffer, length, read -> {});
            synchronized (progress) {
              progress.advance(length);
            }
          };
      TransferResult result =
          client.putObject(request, size, source, () -> memory.allocate(client.partBytesFor(size)));
      report.add(result, (System.nanoTime() - start) / 1e9);
    }
  }

  private void empty(S3RdmaClient client, PutObjectRequest request, TransferReport report) {
    long start = System.nanoTime();
    PutObjectResponse response = client.s3().putObject(request, RequestBody.empty());
    String reason = policy() == RdmaPolicy.NEVER ? "policy NEVER" : "empty objects travel by HTTP";
    TransferResult result =
        new TransferResult(
            Transport.HTTP,
            0,
            0,
            Optional.empty(),
            1,
            Optional.of(reason),
            Optional.empty(),
            0,
            response.eTag());
    report.add(result, (System.nanoTime() - start) / 1e9);
  }
}
