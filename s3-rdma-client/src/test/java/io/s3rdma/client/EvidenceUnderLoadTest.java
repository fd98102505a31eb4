package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.FakeDevice.Fault;
import io.s3rdma.rdma.FakeDevice.Operation;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.LiveObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Section 5 while 64 transfers run at once: every ledger on its own, all of them in the totals. */
@Tag("device")
final class EvidenceUnderLoadTest {
  private static final int AT_ONCE = 64;
  private static final int ROUNDS = 3;
  private static final int[] SIZES = {1, 4095, 4097, 70_000, 300_001, 1_100_000};
  private static final String EXACT = "s3rdma_rdma_verdicts_total{verdict=\"exact\"}";
  private static final String CONTRADICTED = "s3rdma_rdma_verdicts_total{verdict=\"contradicted\"}";

  private LiveObjects before;
  private Lab lab;

  @BeforeEach
  void start() throws Exception {
    before = Lab.live();
    lab = new Lab();
  }

  @AfterEach
  void leavesNothingBehind() throws Exception {
    if (FakeDevice.isThere()) {
      FakeDevice.reset();
    }
    lab.close();
    assertThat(Lab.live()).isEqualTo(before);
  }

  private double bytes(String direction) {
    return Metric.read(
        lab, "s3rdma_bytes_total{direction=\"" + direction + "\",transport=\"rdma\"}");
  }

  @Test
  void shouldProveEachOfManyAtOnceAndCountThemAll() throws Exception {
    List<TransferResult> results = new ArrayList<>();
    try (S3RdmaClient client =
            lab.builder().connectionsMax(AT_ONCE).deadlineMillis(60_000).build();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      CyclicBarrier together = new CyclicBarrier(AT_ONCE);
      List<Future<List<TransferResult>>> running = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        running.add(threads.submit(worker(client, i, together)));
      }
      for (Future<List<TransferResult>> each : running) {
        results.addAll(each.get());
      }
    }

    assertThat(results).hasSize(AT_ONCE * ROUNDS * 2).allMatch(r -> r.verdict().equals("exact"));
    assertThat(Metric.read(lab, EXACT))
        .isEqualTo(results.stream().mapToInt(TransferResult::attempts).sum());
    assertThat(Metric.read(lab, CONTRADICTED)).isZero();
    assertThat(Metric.read(lab, "s3rdma_rdma_port_contradictions_total")).isZero();
    double half = results.stream().mapToLong(TransferResult::bytesByRdma).sum() / 2.0;
    assertThat(bytes("in")).isEqualTo(half);
    assertThat(bytes("out")).isEqualTo(half);
  }

  /** PUTs and GETs of its own object; what its evidence says must fit its own bytes alone. */
  private static Callable<List<TransferResult>> worker(
      S3RdmaClient client, int number, CyclicBarrier together) {
    int size = SIZES[number % SIZES.length];
    return () -> {
      List<TransferResult> results = new ArrayList<>();
      try (HostBuffer source = TransferContractTest.random(size, number);
          HostBuffer target = HostBuffer.allocate(size)) {
        for (int round = 0; round < ROUNDS; round++) {
          together.await();
          results.add(client.putObject(Lab.BUCKET, "at-once-" + number, source));
          results.add(client.getObject(Lab.BUCKET, "at-once-" + number, target));
          assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
        }
      }
      assertThat(results)
          .allSatisfy(
              r -> {
                assertThat(r.evidence().orElseThrow().bytes()).isEqualTo(size);
                assertThat(r.evidence().orElseThrow().packets()).isEqualTo((size + 4095) / 4096);
              });
      return results;
    };
  }

  /** Only the fake can be made to lie; on a real device there is nothing to show here. */
  @Test
  void shouldFailTheRequestAndRaiseTheAlarmWhenOneLies() {
    try (HostBuffer source = TransferContractTest.random(70_000, 5);
        HostBuffer target = HostBuffer.allocate(70_000);
        S3RdmaClient once = lab.builder().attemptsMax(1).build()) {
      once.putObject(Lab.BUCKET, "lie", source);
      assertThat(Metric.read(lab, CONTRADICTED)).isZero();
      if (!FakeDevice.isThere()) {
        return;
      }
      FakeDevice.arm(Fault.PSN_SKIP, Operation.WRITE, 0, 1, 1);
      assertThatThrownBy(() -> once.getObject(Lab.BUCKET, "lie", target))
          .isInstanceOf(RdmaRequiredException.class)
          .hasMessageContaining("RdmaEvidenceContradicted"); // P-5.4

      assertThat(Metric.read(lab, CONTRADICTED)).isEqualTo(1);
      assertThat(Metric.read(lab, EXACT)).isEqualTo(1);
      // That connection is gone; the next transfer is proved again.
      assertThat(once.getObject(Lab.BUCKET, "lie", target).verdict()).isEqualTo("exact");
      assertThat(Metric.read(lab, CONTRADICTED)).isEqualTo(1);
    }
  }
}
