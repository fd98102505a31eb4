package io.s3rdma.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link ClientCommand} that runs; its caller tells it when to work. Not thread-safe. */
final class ClientProcess implements AutoCloseable {
  private static final int STOP_SECONDS = 30;

  private final Process process;
  private final BufferedReader out;
  private final PrintWriter in;
  private final Path log;

  private ClientProcess(Process process, Path log) {
    this.process = process;
    this.out = process.inputReader(Host.CHARSET);
    this.in = new PrintWriter(process.outputWriter(Host.CHARSET));
    this.log = log;
  }

  /**
   * Starts it; {@link #awaitReady} tells when it is warm.
   *
   * @param arguments of {@link ClientCommand}
   */
  static ClientProcess start(List<String> arguments, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseSerialGC", "-Xmx96m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.add("client");
    command.addAll(arguments);
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    return new ClientProcess(process, log);
  }

  void awaitReady() throws IOException {
    String line = answer();
    if (!line.equals(ClientCommand.READY)) {
      throw new IOException("a client process said " + line + " and not " + ClientCommand.READY);
    }
  }

  /** Starts GETs for this long; {@link #rate} waits for their end. */
  void work(long millis) {
    in.println(millis);
    in.flush();
  }

  /** Bytes a second that it was served. */
  double rate() throws IOException {
    return Double.parseDouble(answer());
  }

  private String answer() throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("a client process ended: " + Files.readString(log));
    }
    return line;
  }

  @Override
  public void close() {
    in.close(); // its input ends, and so does it
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
