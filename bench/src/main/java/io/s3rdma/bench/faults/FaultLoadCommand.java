package io.s3rdma.bench.faults;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.s3rdma.client.RdmaPolicy;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The fault suite's other client: {@link FaultClient} starts it and stops it. */
@Command(
    name = "fault-load",
    hidden = true,
    mixinStandardHelpOptions = true,
    description = "The load of the fault suite by a process of its own; prints what came of it.")
public final class FaultLoadCommand implements Callable<Integer> {
  /** The line it prints once transfers have gone. */
  static final String UNDER_WAY = "under way";

  private static final int FIRST = 16;

  @Spec private CommandSpec spec;

  @Option(names = "--endpoint", required = true, paramLabel = "URL", description = "the server")
  private URI endpoint;

  @Option(names = "--policy", required = true, description = "${COMPLETION-CANDIDATES}")
  private RdmaPolicy policy;

  @Option(names = "--transfers", required = true, paramLabel = "N", description = "how many")
  private int transfers;

  @Option(names = "--prefix", required = true, paramLabel = "TEXT", description = "of its keys")
  private String prefix;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Tally tally = new Tally();
    try (Objects objects = new Objects()) {
      Load load = new Load(objects, tally, new ConcurrentHashMap<>(), prefix, Load.WORKERS);
      load.run(endpoint, policy, Math.min(FIRST, transfers));
      out.println(UNDER_WAY);
      out.flush();
      load.run(endpoint, policy, Math.max(0, transfers - FIRST));
    }
    out.println(new ObjectMapper().writeValueAsString(tally.json()));
    out.flush();
    return 0;
  }
}
