package io.s3rdma.client.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.TransferResult;
import io.s3rdma.client.Transport;
import io.s3rdma.counters.Counter;
import io.s3rdma.counters.CounterReader;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.wire.EvidenceText;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/**
 * The client half of the demo, which runs it as a process of its own: PUT and GET by RDMA and by
 * HTTP, one line of JSON a row. Credentials come in the environment.
 */
@Command(name = "demo-client", hidden = true, description = "The client process of the demo.")
final class DemoClientCommand implements Callable<Integer> {
  static final String BUCKET = "demo";
  private static final long WARM_UP_BYTES = 16 << 20;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @Spec private CommandSpec spec;

  @Option(names = "--endpoint", required = true)
  private URI endpoint;

  @Option(names = "--file", required = true)
  private Path file;

  @Option(names = "--server-pid", required = true)
  private long serverPid;

  @Option(names = "--http-only")
  private boolean httpOnly;

  private Optional<RailFinder.FoundRail> rail = Optional.empty();

  @Override
  public Integer call() throws IOException {
    long size = Files.size(file);
    try (HostBuffer source = HostBuffer.allocate(size);
        HostBuffer target = HostBuffer.allocate(size);
        S3RdmaClient http = open(RdmaPolicy.NEVER)) {
      try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ)) {
        Memory.read(from, source, size, n -> {});
      }
      http.s3().createBucket(b -> b.bucket(BUCKET));
      if (!httpOnly) {
        rail = RailFinder.find(Optional.empty(), 1, Optional.empty()).rail();
        try (S3RdmaClient rdma = open(RdmaPolicy.REQUIRE)) {
          putAndGet(rdma, Transport.RDMA, source, target);
        }
      }
      putAndGet(http, Transport.HTTP, source, target);
    }
    return ExitCode.OK;
  }

  private S3RdmaClient open(RdmaPolicy policy) {
    return S3RdmaClient.builder()
        .endpoint(endpoint)
        .credentials(System.getenv("S3RDMA_ACCESS_KEY"), System.getenv("S3RDMA_SECRET_KEY"))
        .policy(policy)
        .deadlineMillis(60_000)
        .build();
  }

  static String key(Transport transport) {
    return "by-" + transport;
  }

  private void putAndGet(
      S3RdmaClient client, Transport transport, HostBuffer source, HostBuffer target)
      throws IOException {
    String key = key(transport);
    PutObjectRequest request = PutObjectRequest.builder().bucket(BUCKET).key(key).build();
    long warm = Math.min(WARM_UP_BYTES, source.lengthBytes());
    client.putObject(request, source, warm);
    client.getObject(BUCKET, key, target);

    tell(
        measured("PUT", transport, () -> client.putObject(request, source, source.lengthBytes())),
        "");
    target.segment().fill((byte) 0);
    Measured get = measured("GET", transport, () -> client.getObject(BUCKET, key, target));
    tell(get, Sha256.of(target.segment().asByteBuffer()));
  }

  private interface Transfer {
    TransferResult run();
  }

  private record Measured(
      String operation,
      TransferResult result,
      double seconds,
      double clientCpu,
      double serverCpu,
      long portPackets) {}

  private Measured measured(String operation, Transport transport, Transfer transfer)
      throws IOException {
    OptionalLong portBefore = portPackets();
    double serverBefore = ProcessCpu.of(serverPid);
    double clientBefore = ProcessCpu.own();
    long start = System.nanoTime();
    TransferResult result = transfer.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    double clientCpu = ProcessCpu.own() - clientBefore;
    double serverCpu = ProcessCpu.of(serverPid) - serverBefore;
    if (result.transport() != transport) {
      throw new IOException(operation + " went by " + result.transport() + ", not " + transport);
    }
    long packets =
        portBefore.isPresent() ? portPackets().orElseThrow() - portBefore.getAsLong() : -1;
    return new Measured(operation, result, seconds, clientCpu, serverCpu, packets);
  }

  /** Packets the port has sent since it is there, for everyone. */
  private OptionalLong portPackets() {
    if (rail.isEmpty()) {
      return OptionalLong.empty();
    }
    CounterReader reader =
        new CounterReader(CounterReader.DEFAULT_ROOT, rail.get().device(), rail.get().port());
    LockSupport.parkNanos(reader.freshAfter().toNanos());
    OptionalLong sent = reader.read(Counter.SENT_PKTS);
    return sent.isPresent() ? sent : reader.read(Counter.PORT_XMIT_PACKETS);
  }

  private void tell(Measured measured, String sha256) throws IOException {
    TransferResult result = measured.result();
    boolean rdma = result.transport() == Transport.RDMA;
    int mtu = rail.map(found -> found.attributes().activeMtuBytes()).orElse(1);
    DemoRow row =
        new DemoRow(
            measured.operation(),
            result.transport().name(),
            result.bytes(),
            Figures.rounded(measured.seconds()),
            Figures.rounded(measured.clientCpu()),
            Figures.rounded(measured.serverCpu()),
            result.verdict(),
            result.evidence().map(EvidenceText::packets).orElse(0L),
            rdma ? (result.bytes() + mtu - 1) / mtu : 0,
            measured.portPackets(),
            sha256);
    PrintWriter out = spec.commandLine().getOut();
    out.println(MAPPER.writeValueAsString(row));
    out.flush();
  }
}
