package io.s3rdma.client.cli;

import io.s3rdma.rdma.Availability;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "doctor",
    description = {
      "Looks at all that RDMA needs on this machine and says what to do where something is missing.",
      "Exits with 0 if RDMA can be used here, else with 3."
    })
final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private OutputOptions output;

  @Option(names = "--device", paramLabel = "NAME", description = "only with this RDMA device")
  private String device;

  @Override
  public Integer call() {
    RailFinder.Search search = RailFinder.find(Optional.ofNullable(device), 1, Optional.empty());
    PrintWriter out = spec.commandLine().getOut();
    for (Check check : checks(search)) {
      output.print(out, check.line(), check.json());
    }
    return search.rail().isPresent() ? ExitCode.OK : ExitCode.NO_RDMA;
  }

  private static List<Check> checks(RailFinder.Search search) {
    List<Check> checks = new ArrayList<>();
    checks.add(HostChecks.java());
    checks.add(HostChecks.machine());
    Availability library = Rdma.libraryAvailability();
    checks.add(HostChecks.nativeLibrary(library));
    if (library.available() && !Rdma.provider().equals("verbs")) {
      checks.add(Check.note("provider", Rdma.provider(), "for tests only; nothing real moves"));
    } else {
      checks.add(HostChecks.ibverbs());
    }
    if (library.available()) {
      checks.addAll(RdmaChecks.devices(search.rail()));
    }
    checks.add(HostChecks.memlock());
    checks.add(HostChecks.gpu());
    checks.add(RdmaChecks.verdict(search));
    return checks;
  }
}
