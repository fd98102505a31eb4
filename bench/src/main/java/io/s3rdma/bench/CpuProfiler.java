package io.s3rdma.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of JMH's own threads for each operation: what the measured code costs, without threads
 * of other parties and without waiting for them. {@code -prof io.s3rdma.bench.CpuProfiler}.
 */
public final class CpuProfiler implements InternalProfiler {
  private static final String WORKERS = "-jmh-worker-";

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private long before;

  @Override
  public String getDescription() {
    return "CPU nanoseconds of JMH's threads for each operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = nanos();
  }

  @Override
  @SuppressWarnings("rawtypes") // so it is in JMH
  public Collection<? extends Result> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    // All, as what its threads do before and after the measured ones is in their time too.
    long operations = result.getMetadata().getAllOps();
    double each = (double) (nanos() - before) / operations;
    return List.of(new ScalarResult("cpu", each, "ns/op", AggregationPolicy.AVG));
  }

  private long nanos() {
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      var info = threads.getThreadInfo(id);
      if (info != null && info.getThreadName().contains(WORKERS)) {
        sum += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return sum;
  }
}
