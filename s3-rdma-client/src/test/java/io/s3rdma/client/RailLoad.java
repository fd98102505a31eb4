package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.HostBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** GETs over two rails while one of them goes and comes back. */
final class RailLoad {
  static final String KEY = "k";
  private static final int THREADS = 4;
  private static final int ROUNDS = 2;

  private final Lab lab;
  private final int size;

  /** With an object of that size in the lab's bucket. */
  RailLoad(Lab lab, int size) {
    this.lab = lab;
    this.size = size;
    try (HostBuffer source = HostBuffer.allocate(size)) {
      lab.client().putObject(Lab.BUCKET, KEY, source);
    }
  }

  TransferResult get(HostBuffer buffer) {
    return lab.client().getObject(Lab.BUCKET, KEY, buffer);
  }

  static String deviceOf(TransferResult result) {
    assertThat(result.verdict()).isEqualTo("exact");
    return result.evidence().orElseThrow().device();
  }

  private double outages(String device) {
    return Metric.read(lab, "s3rdma_rail_outages_total{rail=\"" + device + "/1\"}");
  }

  /**
   * No request fails, goes by HTTP, or takes more than one retry.
   *
   * @param setLink takes the link of {@code goes} down (false) and up
   */
  void surviveOutages(String stays, String goes, Consumer<Boolean> setLink) {
    AtomicBoolean stop = new AtomicBoolean();
    List<CompletableFuture<List<TransferResult>>> loads = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      usedWithin(Set.of(stays, goes));
      for (int i = 0; i < THREADS; i++) {
        loads.add(CompletableFuture.supplyAsync(() -> untilStopped(stop), threads));
      }
      for (int round = 1; round <= ROUNDS; round++) {
        double expected = round;
        setLink.accept(false);
        FakeDevice.eventually(() -> outages(goes) == expected, "the server noticed");
        usedWithin(Set.of(stays));
        setLink.accept(true);
        usedWithin(Set.of(stays, goes));
      }
      stop.set(true);
      for (CompletableFuture<List<TransferResult>> load : loads) {
        assertThat(load.join()).isNotEmpty().allSatisfy(this::assertWhole);
      }
    } finally {
      stop.set(true);
      threads.shutdown();
      loads.forEach(load -> load.exceptionally(e -> List.of()).join());
    }
  }

  private void assertWhole(TransferResult result) {
    assertThat(result.attempts()).isLessThanOrEqualTo(2);
    assertThat(result.bytesByHttp()).isZero();
    assertThat(result.bytesByRdma()).isEqualTo(size);
  }

  private List<TransferResult> untilStopped(AtomicBoolean stop) {
    List<TransferResult> results = new ArrayList<>();
    try (HostBuffer buffer = HostBuffer.allocate(size)) {
      while (!stop.get()) {
        results.add(get(buffer));
      }
    }
    return results;
  }

  /** Some transfers in a row go over exactly these rails, sooner or later. */
  private void usedWithin(Set<String> devices) {
    try (HostBuffer buffer = HostBuffer.allocate(size)) {
      FakeDevice.eventually(
          () -> {
            Set<String> used = new HashSet<>();
            for (int i = 0; i < 4; i++) {
              used.add(deviceOf(get(buffer)));
            }
            return used.equals(devices);
          },
          "transfers go over " + devices);
    }
  }
}
