package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.client.transport.Grant;
import io.s3rdma.client.transport.RawPeer;
import io.s3rdma.client.transport.TransportException;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.Psn;
import io.s3rdma.rdma.wire.RcToken;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What good clients get beside a bad peer, as ratios that are printed: against an honest peer that
 * makes as many requests (the bar is 0.9; both peers' own work is done on this host, too), and
 * against nobody. The bad peer guesses keys and lets the server talk to queue pairs that never
 * answer. Nothing is asserted about time: what is, is that every byte is right.
 */
@Tag("fabric")
final class BadPeerRatioTest {
  private static final int BYTES = 1 << 20;
  private static final int GOOD = 4;
  private static final int GETS = Integer.getInteger("s3rdma.bench.hostile-gets", 60);
  private static final int ROUNDS = Integer.getInteger("s3rdma.bench.hostile-rounds", 5);
  private static final int WARM_UPS = 3;
  private static final long PAUSE_NANOS = 20_000_000;
  private static final String PATH = "/" + Lab.BUCKET + "/k";

  private final AtomicInteger turns = new AtomicInteger();

  /** With budget 0 the bad peer never cools down: what is left is the fair shares alone. */
  @ParameterizedTest
  @ValueSource(ints = {0, 16})
  void shouldServeGoodClientsBesideABadPeer(int errorBudget) throws Exception {
    List<Double> toHonest = new ArrayList<>();
    List<Double> toNobody = new ArrayList<>();
    try (Lab lab = new Lab(Map.of("rdma.peer-error-budget", errorBudget));
        HostBuffer object = TransferContractTest.random(BYTES, 5);
        ExecutorService threads = Executors.newCachedThreadPool()) {
      lab.client().putObject(Lab.BUCKET, "k", object);
      for (int i = 0; i < WARM_UPS; i++) {
        rate(lab, object, threads);
      }
      for (int round = 0; round < ROUNDS; round++) {
        double alone = rate(lab, object, threads);
        double honest = rateBeside(new OtherPeer(lab, threads, false), lab, object, threads);
        double bad = rateBeside(new OtherPeer(lab, threads, true), lab, object, threads);
        toHonest.add(bad / honest);
        toNobody.add(bad / alone);
      }
      System.out.printf(
          "error budget %d: cool-downs %.0f, turns of the other peers %d%n",
          errorBudget, Metric.read(lab, "s3rdma_rdma_cool_downs_total"), turns.get());
    }
    print("an honest one", toHonest);
    print("nobody", toNobody);
    assertThat(turns.get()).isPositive();
  }

  private static void print(String than, List<Double> ratios) {
    ratios.sort(null);
    System.out.printf(
        "good clients beside a bad peer / beside %s: median %.3f of %s%n",
        than, ratios.get(ratios.size() / 2), ratios);
  }

  private static double rateBeside(
      OtherPeer other, Lab lab, HostBuffer object, ExecutorService threads) {
    try (other) {
      double rate = rate(lab, object, threads);
      assertThat(other.running()).isTrue();
      return rate;
    }
  }

  /** MiB in a second of all good clients. */
  private static double rate(Lab lab, HostBuffer object, ExecutorService threads) {
    long start = System.nanoTime();
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int i = 0; i < GOOD; i++) {
      clients.add(CompletableFuture.runAsync(() -> gets(lab, object), threads));
    }
    clients.forEach(CompletableFuture::join);
    return GOOD * GETS / ((System.nanoTime() - start) / 1e9);
  }

  private static void gets(Lab lab, HostBuffer object) {
    try (HostBuffer target = HostBuffer.allocate(BYTES)) {
      for (int i = 0; i < GETS; i++) {
        target.segment().fill((byte) 0);
        TransferResult result = lab.client().getObject(Lab.BUCKET, "k", target);
        assertThat(result.verdict()).isEqualTo("exact");
        assertThat(target.segment().mismatch(object.segment())).isEqualTo(-1);
      }
    }
  }

  private final class OtherPeer implements AutoCloseable {
    private final RawPeer peer;
    private final List<CompletableFuture<Void>> attackers;
    private volatile boolean stopping;

    OtherPeer(Lab lab, ExecutorService threads, boolean bad) {
      peer = new RawPeer(lab.endpoint(), Lab.OTHER_KEY, Lab.SECRET_KEY);
      List<Attack> attacksOfEach =
          bad
              ? List.of(this::guess, this::blackHole, this::blackHole)
              : List.of(this::ask, this::ask, this::ask);
      attackers =
          attacksOfEach.stream()
              .map(attack -> CompletableFuture.runAsync(() -> again(attack), threads))
              .toList();
    }

    boolean running() {
      return attackers.stream().noneMatch(CompletableFuture::isDone);
    }

    private interface Attack {
      void run() throws IOException;
    }

    private void again(Attack attack) {
      while (!stopping) {
        try {
          attack.run();
          turns.incrementAndGet();
        } catch (IOException | TransportException e) {
          // Declined, or the connection is gone: what a bad peer deserves.
          turns.incrementAndGet();
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    /** Two requests, as many as an attack makes. */
    private void ask() throws IOException {
      for (int i = 0; i < 2; i++) {
        peer.send("HEAD", PATH, Map.of(), Map.of(), new byte[0]);
      }
    }

    private void guess() throws IOException {
      try (HostBuffer buffer = HostBuffer.allocate(BYTES)) {
        Grant grant = peer.transport().grant(buffer, BYTES, TransferRight.REMOTE_WRITE);
        RcToken right = RcToken.parse(grant.mint());
        RemoteDescriptor region = right.region();
        String wrong =
            new RcToken(
                    right.connection(),
                    new RemoteDescriptor(region.address(), BYTES, region.rkey() ^ 0x5500))
                .encode();
        peer.withToken("GET", PATH, wrong);
        grant.settle(false);
      }
    }

    /** A queue pair that nobody has, asked for a whole object. */
    private void blackHole() throws IOException {
      RemoteDescriptor nowhere = new RemoteDescriptor(4096, BYTES, 77);
      RawPeer.Answer connected =
          peer.send(
              "POST",
              RdmaHeaders.CONNECT_PATH,
              Map.of(
                  RdmaHeaders.TOKEN,
                  peer.endpointToken(nowhere),
                  RdmaHeaders.PSN,
                  Psn.random().hex()),
              Map.of(),
              new byte[0]);
      String session = connected.header(RdmaHeaders.SESSION).orElse("0".repeat(32));
      peer.withToken("GET", PATH, "rc:" + session + ":1000:100000:4d");
    }

    @Override
    public void close() {
      stopping = true;
      attackers.forEach(CompletableFuture::join);
      peer.close();
    }
  }
}
