package io.s3rdma.client.cli;

import io.s3rdma.client.ByteRange;
import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.client.S3RdmaClient;
import io.s3rdma.client.S3RdmaClientBuilder;
import io.s3rdma.client.TransferResult;
import io.s3rdma.client.Transport;
import io.s3rdma.client.transport.TransportException;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.wire.EvidenceText;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

@Command(
    name = "verify",
    description = {
      "Moves random bytes to the server and back by RDMA and shows, layer by layer, how it is known"
          + " that they went that way: a PUT, a GET and a GET of a range, each with",
      "  token        the server took the token that names this process's memory",
      "  reply        it says that it moved the bytes by RDMA",
      "  bytes        as many as were asked for, none of them by HTTP",
      "  packets      bytes over MTU, reckoned here, are what its queue pair's sequence numbers moved by",
      "  verdict      what the server says of its own ledgers",
      "  counted      its totals moved along, and none is contradicted",
      "  server port  the device's counters there saw at least these packets leave or come",
      "  client port  and so did those of the device here",
      "  content      SHA-256 of both ends; a PUT is read back by plain HTTP",
      "A layer says ok, note (not to be had here, or weaker) or FAIL. The object is removed at the end.",
      "Exits with 0 if no layer fails, 1 if one does, 3 if RDMA was declined or cannot be had."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  s3rdma verify s3://models",
      "  s3rdma verify --memory gpu:0 --bytes 268435456 s3://models",
      "  s3rdma verify --json s3://models | jq .proved"
    })
final class VerifyCommand extends ClientCommand {
  private static final int BYTES_MAX = 256 << 20;

  @Parameters(
      paramLabel = "s3://BUCKET[/PREFIX]",
      converter = S3Uri.Any.class,
      description = "where to put the object; its name is new and random")
  private S3Uri place;

  @Option(
      names = "--bytes",
      paramLabel = "N",
      defaultValue = "8388609",
      description = "size of the object, 2 to 268435456 (${DEFAULT-VALUE})")
  private int bytes;

  @Option(
      names = "--memory",
      paramLabel = "KIND",
      defaultValue = "host",
      converter = Memory.Converter.class,
      description =
          "what the bytes leave from and arrive in: host, pinned or gpu:N (${DEFAULT-VALUE})")
  private Memory memory;

  private final List<Map<String, Object>> told = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private boolean failed;
  private boolean declined;

  /** The proof reads the counters of one port. */
  @Override
  void configure(S3RdmaClientBuilder builder) {
    builder.railsMax(1);
  }

  @Override
  int run(S3RdmaClient client) throws IOException {
    if (bytes < 2 || bytes > BYTES_MAX) {
      throw new UsageException("--bytes must be from 2 to " + BYTES_MAX);
    }
    if (policy() == RdmaPolicy.NEVER) {
      throw new UsageException("verify is about RDMA; leave --rdma never out");
    }
    String key = place.key() + "s3rdma-verify-" + randomName();
    line(
        "%s bytes of random data to s3://%s/%s at %s and back"
            .formatted(Figures.grouped(bytes), place.bucket(), key, endpoint()));
    String rail = rail(client);
    try {
      transfers(client, key, rail);
    } finally {
      remove(client, key);
    }
    String summary = summary();
    line("");
    line(summary);
    print(text.toString().stripTrailing(), json(key, rail, summary));
    return declined ? ExitCode.NO_RDMA : failed ? ExitCode.FAILED : ExitCode.OK;
  }

  /** The device here, or why there is none; the transfers then say the same. */
  private String rail(S3RdmaClient client) {
    try {
      String rail = client.rail();
      line(
          "device here  " + rail + (isFake() ? ", the FAKE one of the tests: no RDMA at all" : ""));
      return rail;
    } catch (TransportException | RdmaException e) {
      return "";
    }
  }

  private static boolean isFake() {
    return Rdma.libraryAvailability().available() && Rdma.provider().equals("fake");
  }

  private void transfers(S3RdmaClient client, String key, String rail) throws IOException {
    byte[] content = new byte[bytes];
    new Random(new SecureRandom().nextLong()).nextBytes(content);
    String sent = sha256(content, 0, bytes);
    try (TransferBuffer source = memory.allocate(bytes);
        TransferBuffer target = memory.allocate(bytes)) {
      Memory.read(Channels.newChannel(new ByteArrayInputStream(content)), source, bytes, n -> {});
      PutObjectRequest put = PutObjectRequest.builder().bucket(place.bucket()).key(key).build();
      transfer(
          client,
          "PUT",
          rail,
          bytes,
          sent,
          () -> client.putObject(put, source, bytes),
          () -> byHttp(client, key));
      transfer(
          client,
          "GET",
          rail,
          bytes,
          sent,
          () -> client.getObject(place.bucket(), key, target),
          () -> inMemory(target, bytes));
      int from = bytes / 3;
      int length = bytes - from - bytes / 4;
      ByteRange range = new ByteRange(from, length);
      transfer(
          client,
          "GET of a range",
          rail,
          length,
          sha256(content, from, length),
          () -> client.getObject(place.bucket(), key, range, target),
          () -> inMemory(target, length));
    }
  }

  /** A hash that may have to be read from somewhere. */
  private interface Hash {
    String of() throws IOException;
  }

  private void transfer(
      S3RdmaClient client,
      String operation,
      String rail,
      long length,
      String sent,
      Supplier<TransferResult> transfer,
      Hash arrived)
      throws IOException {
    boolean isPut = operation.equals("PUT");
    Optional<PortCounts> portBefore = port(rail);
    Optional<ServerPage> pageBefore = ServerPage.read(client);
    TransferResult result = transfer.get();
    Optional<PortCounts> portAfter = port(rail);
    Optional<ServerPage> pageAfter = ServerPage.read(client);
    String serverRail = result.evidence().map(e -> e.device() + "/" + e.port()).orElse("");
    ProofFacts facts =
        new ProofFacts(
            operation,
            isPut,
            length,
            mtuBytes(rail),
            result,
            sent,
            arrived.of(),
            portBefore.flatMap(p -> p.until(portAfter.orElseThrow(), isPut)),
            pageBefore.flatMap(
                p -> pageAfter.flatMap(a -> p.port(serverRail).until(a.port(serverRail), !isPut))),
            moved(pageBefore, pageAfter, "exact"),
            moved(pageBefore, pageAfter, "contradicted"));
    tell(facts);
  }

  private static Optional<PortCounts> port(String rail) {
    return rail.isEmpty() ? Optional.empty() : Optional.of(PortCounts.local(rail));
  }

  private static Optional<Long> moved(
      Optional<ServerPage> before, Optional<ServerPage> after, String verdict) {
    if (before.isEmpty()
        || after.isEmpty()
        || before.get().judged(verdict).isEmpty()
        || after.get().judged(verdict).isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        after.get().judged(verdict).getAsLong() - before.get().judged(verdict).getAsLong());
  }

  private static int mtuBytes(String rail) {
    if (rail.isEmpty()) {
      return 1; // nothing goes by RDMA then
    }
    String[] parts = rail.split("/", 2);
    try (RdmaDevice device = Rdma.open(parts[0])) {
      return device.port(Integer.parseInt(parts[1])).activeMtuBytes();
    }
  }

  private static String inMemory(TransferBuffer buffer, int length) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(length);
    Memory.write(buffer, length, Channels.newChannel(out));
    return sha256(out.toByteArray(), 0, length);
  }

  private String byHttp(S3RdmaClient client, String key) throws IOException {
    return Sha256.of(client.s3().getObject(b -> b.bucket(place.bucket()).key(key)));
  }

  private static String sha256(byte[] content, int from, int length) {
    return Sha256.of(ByteBuffer.wrap(content, from, length));
  }

  private static String randomName() {
    byte[] name = new byte[8];
    new SecureRandom().nextBytes(name);
    return HexFormat.of().formatHex(name);
  }

  private void remove(S3RdmaClient client, String key) {
    try {
      client.s3().deleteObject(b -> b.bucket(place.bucket()).key(key));
    } catch (SdkException e) {
      line("s3://" + place.bucket() + "/" + key + " could not be removed: " + e.getMessage());
    }
  }

  private void tell(ProofFacts facts) {
    List<Check> layers = Proof.layers(facts);
    line("");
    line("%s, %s bytes".formatted(facts.operation(), Figures.grouped(facts.bytes())));
    layers.forEach(layer -> line("  " + layer.line().replace("\n", "\n  ")));
    failed |= layers.stream().anyMatch(layer -> layer.status() == Check.Status.FAIL);
    declined |=
        facts.result().transport() == Transport.HTTP && layers.getFirst().name().equals("token");
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("operation", facts.operation());
    json.put("bytes", facts.bytes());
    json.put("evidence", facts.result().evidence().map(EvidenceText::encode).orElse(null));
    json.put("layers", layers.stream().map(Check::json).toList());
    told.add(json);
  }

  private void line(String more) {
    text.append(more).append(System.lineSeparator());
  }

  private String summary() {
    if (failed) {
      return "NOT proved: "
          + (declined ? "RDMA did not carry it" : "a layer fails, see FAIL above");
    }
    return isFake()
        ? "proved on the fake device only: this shows that the software works, and no RDMA"
        : "proved: the bytes travelled by RDMA, each way";
  }

  private Map<String, Object> json(String key, String rail, String summary) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("command", "verify");
    json.put("bucket", place.bucket());
    json.put("key", key);
    json.put("memory", memory.toString());
    json.put("device", rail.isEmpty() ? null : rail);
    json.put("fake", isFake());
    json.put("proved", !failed && !isFake());
    json.put("failed", failed);
    json.put("declined", declined);
    json.put("summary", summary);
    json.put("transfers", told);
    return json;
  }
}
