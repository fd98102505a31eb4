package io.s3rdma.bench;

import io.s3rdma.client.RdmaPolicy;
import io.s3rdma.rdma.HostBuffer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A client as a process of its own. It reads milliseconds from its input, a number a line, makes
 * GETs for as long, and answers with a line: bytes a second, of all its callers together.
 */
@Command(name = "client", hidden = true, description = "A client process of other commands.")
final class ClientCommand implements Callable<Integer> {
  static final String READY = "ready";
  private static final int WARM_UP_CALLS = 300;

  @Spec private CommandSpec spec;

  @Option(names = "--endpoint", required = true)
  private URI endpoint;

  @Option(names = "--callers", required = true)
  private int callerCount;

  @Option(names = "--bucket", required = true)
  private String bucket;

  /** Of --size bytes. */
  @Option(names = "--key", required = true)
  private String key;

  @Option(names = "--small", required = true, description = "object for the warm-up, 4 KiB")
  private String small;

  @Option(names = "--size", required = true)
  private long size;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, Host.CHARSET));
    List<HostBuffer> buffers = new ArrayList<>();
    try (OwnWay way = new OwnWay(endpoint, RdmaPolicy.REQUIRE, callerCount);
        Callers callers = new Callers(callerCount)) {
      for (int i = 0; i < callerCount; i++) {
        buffers.add(HostBuffer.allocate(size));
      }
      callers.each(caller -> warmUp(way, buffers.get(caller)));
      say(out, READY);
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line.trim()));
        say(out, Long.toString(serve(way, callers, buffers, nanos)));
      }
    } finally {
      buffers.forEach(HostBuffer::close);
    }
    return 0;
  }

  private static void say(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }

  private void warmUp(OwnWay way, HostBuffer buffer) {
    try (HostBuffer little = HostBuffer.allocate(ProcessesCommand.SMALL_BYTES)) {
      for (int i = 0; i < WARM_UP_CALLS / callerCount; i++) {
        way.get(bucket, small, little);
      }
    }
    way.get(bucket, key, buffer);
  }

  /** Each caller's rate counts its last GET to the end: no half ones, and none that are cut. */
  private long serve(OwnWay way, Callers callers, List<HostBuffer> buffers, long nanos) {
    LongAdder rate = new LongAdder();
    callers.each(
        caller -> {
          long start = System.nanoTime();
          long count = 0;
          long passed = 0;
          while (passed < nanos) {
            way.get(bucket, key, buffers.get(caller));
            count++;
            passed = System.nanoTime() - start;
          }
          rate.add((long) (count * size / (passed / 1e9)));
        });
    return rate.sum();
  }
}
