package io.s3rdma.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks as a command; {@code bench/run} calls it. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = {FabricCommand.class, HttpCommand.class},
    description = "Measures S3 over RDMA against the fabric, and plain HTTP against other servers.")
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
