package io.s3rdma.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuResultsTest {
  private static final long LARGE = 256L << 20;

  private final CpuResults results = new CpuResults(Map.of());

  private static CpuRow.Clock clock(double client, double server, double kernel) {
    long nanos = (long) (client * 1e9 / 2);
    return new CpuRow.Clock(
        client,
        server,
        kernel,
        new ThreadCpu(Map.of("7", new ThreadCpu.Used("caller-3", nanos))),
        new ThreadCpu(Map.of()));
  }

  private void round(String way, double client, double server) {
    results
        .row(way, LARGE)
        .add(clock(1, 1, 1), clock(1 + client, 1 + server, 3), 2_000_000_000L, 4);
  }

  @Test
  void shouldDivideWhatAllRoundsCostByWhatTheyMoved() {
    round(CpuResults.RDMA, 0.01, 0.2);
    round(CpuResults.RDMA, 0.03, 0.4);
    CpuRow row = results.row(CpuResults.RDMA, LARGE);
    assertThat(row.clientPerGb()).isCloseTo(0.01, within(1e-9));
    assertThat(row.serverPerGb()).isCloseTo(0.15, within(1e-9));
    assertThat(row.kernelPerGb()).isCloseTo(1, within(1e-9));
    assertThat(row.wallPerGb()).isCloseTo(2, within(1e-9));
    assertThat(row.clientThreadsPerGb().get("caller-*")).isCloseTo(0.005, within(1e-8));
    assertThat(row.gbPerSecond().median()).isCloseTo(0.5, within(1e-9));
  }

  @Test
  void shouldLeaveTheJitOutWhenItStillWorks() {
    ThreadCpu compiled =
        new ThreadCpu(Map.of("9", new ThreadCpu.Used("C2 CompilerThre", 300_000_000L)));
    ThreadCpu none = new ThreadCpu(Map.of());
    results
        .row(CpuResults.RDMA, LARGE)
        .add(
            new CpuRow.Clock(0, 0, 0, none, none),
            new CpuRow.Clock(0.5, 0.8, 0, compiled, compiled),
            1_000_000_000L,
            1);
    CpuRow row = results.row(CpuResults.RDMA, LARGE);
    assertThat(row.clientPerGb()).isCloseTo(0.2, within(1e-9));
    assertThat(row.serverPerGb()).isCloseTo(0.5, within(1e-9));
    assertThat(row.compilerPerGb()).isCloseTo(0.6, within(1e-9));
  }

  @Test
  void shouldMeetTheBarsWhenRdmaCostsAsMuchLessAsTheyAsk() {
    round(CpuResults.RDMA, 0.01, 0.1);
    round(CpuResults.HTTP, 0.8, 0.6);
    round(CpuResults.CRT, 0.75, 0.6);
    assertThat(results.bars())
        .extracting(Bar::what, bar -> Math.round(bar.median()), Bar::met)
        .containsExactly(
            tuple("client CPU, 256 MiB, http by rdma", 80L, true),
            tuple("server CPU, 256 MiB, http by rdma", 6L, true),
            tuple("client CPU, 256 MiB, crt by rdma", 75L, true));
    assertThat(results.barsMet()).isTrue();
  }

  @Test
  void shouldNotMeetThemWhenOneFallsShort() {
    round(CpuResults.RDMA, 0.01, 0.1);
    round(CpuResults.HTTP, 0.8, 0.4);
    assertThat(results.barsMet()).isFalse();
  }
}
