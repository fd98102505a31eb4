package io.s3rdma.bench;

import io.s3rdma.bench.faults.FaultLoadCommand;
import io.s3rdma.bench.faults.FaultsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks as a command; {@code bench/run} calls it. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    subcommands = {
      FabricCommand.class,
      ProcessesCommand.class,
      CpuCommand.class,
      ClientCommand.class,
      HttpCommand.class,
      StoreCommand.class,
      SmallCommand.class,
      FaultsCommand.class,
      FaultLoadCommand.class
    },
    description =
        "Measures S3 over RDMA against the fabric, plain HTTP against other servers, and the store.")
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }
}
