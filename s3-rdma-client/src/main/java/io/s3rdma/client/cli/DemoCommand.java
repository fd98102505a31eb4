package io.s3rdma.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.s3rdma.client.Transport;
import io.s3rdma.client.cli.DemoServer.DemoKeys;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    description = {
      "Starts a server, PUTs and GETs a file by RDMA and by HTTP from another process, compares the"
          + " bytes and shows time, CPU and the proof of each transfer. Then clients that know"
          + " nothing of RDMA read the same object.",
      "Where no RDMA device is usable it says why, shows HTTP and exits with 3."
    })
final class DemoCommand implements Callable<Integer> {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long FILE_BYTES_MAX = 0xffff_ffffL;

  @Spec private CommandSpec spec;
  @Mixin private OutputOptions output;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "what travels; else the JDK's lib/server/libjvm.so")
  private Path file = Path.of(System.getProperty("java.home"), "lib", "server", "libjvm.so");

  private PrintWriter out;
  private int differences;

  @Override
  public Integer call() throws IOException {
    out = spec.commandLine().getOut();
    long size = Files.size(file);
    if (size < 1 || size > FILE_BYTES_MAX) {
      throw new UsageException("--file must have from 1 byte to 4 GiB - 1");
    }
    RailFinder.Search search = search();
    InetAddress address =
        search
            .rail()
            .map(rail -> rail.gid().gid().toInetAddress())
            .orElse(InetAddress.getLoopbackAddress());
    DemoKeys keys = new DemoKeys("demo" + random(4), random(20));
    say(
        search.rail().isPresent()
            ? "An object travels by RDMA and by HTTP between two processes and arrives the same."
            : "RDMA cannot be had here, so an object travels between two processes by HTTP alone.");
    say("");
    try (DemoServer server = DemoServer.start(address, keys)) {
      run(server, keys, search);
    }
    if (differences > 0) {
      say("FAILED: " + differences + " differences");
      return ExitCode.FAILED;
    }
    return search.rail().isPresent() ? ExitCode.OK : ExitCode.NO_RDMA;
  }

  /** The fake device moves nothing, so nothing may be shown by it. */
  private static RailFinder.Search search() {
    RailFinder.Search search = RailFinder.find(Optional.empty(), 1, Optional.empty());
    return search.rail().isPresent() && !Rdma.provider().equals("verbs")
        ? new RailFinder.Search(Optional.empty(), "the fake device is for tests, not for demos")
        : search;
  }

  private void run(DemoServer server, DemoKeys keys, RailFinder.Search search) throws IOException {
    String sha256 = Sha256.of(file);
    say("server   process " + server.pid() + " at " + server.endpoint());
    say("device   " + search.rail().map(DemoCommand::device).orElse("none: " + search.cause()));
    say("file     " + file + ", " + Figures.grouped(Files.size(file)) + " bytes");
    say("sha256   " + sha256);
    say("");
    say("Transferring; a small transfer each way goes first, so that neither connecting nor");
    say("compiling is in the rows ...");
    say("");
    List<DemoRow> rows = transfers(server, keys, search.rail().isEmpty());
    if (!output.json()) {
      DemoTable.render(rows).forEach(this::say);
      say("");
    }
    rows.forEach(this::printJson);
    check(rows, sha256);
    notes(search);
    plainClients(server, keys, search.rail().isPresent(), sha256);
    if (output.json()) {
      out.println(OutputOptions.toJson(Map.of("sha256", sha256, "differences", differences)));
    }
  }

  private static String device(RailFinder.FoundRail rail) {
    String soft = rail.device().startsWith("rxe") ? "Soft-RoCE, RDMA in software, " : "";
    return "%s/%d, %sMTU %d"
        .formatted(rail.device(), rail.port(), soft, rail.attributes().activeMtuBytes());
  }

  private List<DemoRow> transfers(DemoServer server, DemoKeys keys, boolean httpOnly)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            JavaProcess.command(
                System.getProperty("java.class.path"),
                S3Rdma.class.getName(),
                "demo-client",
                "--endpoint=" + server.endpoint(),
                "--file=" + file,
                "--server-pid=" + server.pid()));
    if (httpOnly) {
      command.add("--http-only");
    }
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    keys.into(builder.environment());
    Process client = builder.start();
    List<DemoRow> rows = new ArrayList<>();
    try (var lines = client.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        rows.add(MAPPER.readValue(line, DemoRow.class));
      }
      int status = client.waitFor();
      if (status != 0) {
        throw new IOException("the client process ended with " + status + "; see above");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      client.destroy();
    }
    return rows;
  }

  private void check(List<DemoRow> rows, String sha256) {
    for (DemoRow row : rows) {
      if (row.operation().equals("GET")) {
        same("GET by " + row.transport(), row.sha256(), sha256);
      }
      if (row.byRdma() && row.packetsCounted() != row.packetsExpected()) {
        differences++;
        say("!! " + row.operation() + " by RDMA: packets counted differ from packets expected");
      }
    }
  }

  private void notes(RailFinder.Search search) {
    say("");
    if (search.rail().isEmpty()) {
      say("Only HTTP was shown: " + search.cause());
      say("");
      return;
    }
    say(
        "Packets  expected: bytes over the MTU; counted: by the server, from the sequence numbers of");
    say("         its queue pair; port sent: by the device, acknowledgements included.");
    say(
        "CPU      of the two processes, the server's in steps of 0.01 s. HTTP signs what it PUTs by");
    say("         SHA-256, RDMA adds a CRC32C.");
    if (search.rail().get().device().startsWith("rxe")) {
      say(
          "Speed    none of a card: Soft-RoCE does in the kernel what a card does in hardware, and");
      say("         that work is in no CPU column.");
    }
    say("");
  }

  private void plainClients(DemoServer server, DemoKeys keys, boolean rdma, String sha256)
      throws IOException {
    String key = DemoClientCommand.key(rdma ? Transport.RDMA : Transport.HTTP);
    say("Clients that know nothing of RDMA read the object" + (rdma ? " put by RDMA:" : ":"));
    PlainClients plain = new PlainClients(server.endpoint(), keys);
    same("AWS SDK for Java", plain.awsSdk(DemoClientCommand.BUCKET, key), sha256);
    Optional<String> curl = plain.curl(DemoClientCommand.BUCKET, key, server.folder());
    curl.ifPresentOrElse(
        got -> same("curl, presigned", got, sha256), () -> say("  curl: not on the PATH"));
  }

  private void same(String what, String got, String wanted) {
    boolean equal = got.equals(wanted);
    differences += equal ? 0 : 1;
    say("  %-18s %s".formatted(what, equal ? "same bytes" : "DIFFERENT, sha256 " + got));
  }

  private void say(String text) {
    if (!output.json()) {
      out.println(text);
      out.flush();
    }
  }

  private void printJson(DemoRow row) {
    if (output.json()) {
      try {
        out.println(MAPPER.writeValueAsString(row));
      } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static String random(int bytes) {
    byte[] value = new byte[bytes];
    new SecureRandom().nextBytes(value);
    return HexFormat.of().formatHex(value);
  }
}
