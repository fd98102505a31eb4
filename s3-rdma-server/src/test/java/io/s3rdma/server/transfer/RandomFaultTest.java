package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.FakeDevice.Fault;
import io.s3rdma.rdma.FakeDevice.Operation;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong, in whatever order: nothing leaks, and what succeeded is right. */
final class RandomFaultTest {
  private static final int RUNS = 200;
  private static final int CHUNK = TestConfig.CHUNK;
  private static final int SIZE_MAX = 10 * CHUNK;
  private static final List<Fault> FAULTS =
      List.of(
          Fault.STATUS,
          Fault.LOSE_COMPLETION,
          Fault.DELAY_MILLIS,
          Fault.LATE_WRITE_MILLIS,
          Fault.STALL,
          Fault.POST_ERRNO);
  private static final int[] STATUSES = {1, 2, 4, 5, 8, 9, 10, 11, 12, 13, 19, 21};

  private long seed;
  private Random random;
  private Peer peer;
  private boolean broken;

  @BeforeEach
  void reset() {
    FakeDevice.reset();
    seed = Long.getLong("s3rdma.test.seed", System.nanoTime());
    random = new Random(seed);
  }

  @AfterEach
  void resetAgain() {
    FakeDevice.reset();
  }

  @Test
  void shouldLeakNothingWhenFaultsAreRandom() {
    TestConfig config = new TestConfig();
    config.slots = 200; // each lost completion takes one for good
    config.drainTimeoutMillis = 60;
    long pairs = Rdma.liveObjects().queuePairs();
    try (Transfers transfers = config.open()) {
      for (int run = 0; run < RUNS; run++) {
        String what = "seed " + seed + ", run " + run + ": " + runOnce(transfers);
        Transfers.Usage usage = transfers.usage();
        assertThat(usage.slotsInUse()).as(what).isEqualTo(usage.slotsLost());
        assertThat(usage.connections()).as(what).isEqualTo(broken ? 0 : 1);
        // Both sides of the connection, and those that a NIC may still use.
        assertThat(Rdma.liveObjects().queuePairs())
            .as(what)
            .isEqualTo(pairs + usage.drainFailures() + (broken ? 1 : 2));
      }
      peer.close();
      FakeDevice.reset();
      Faults.assertTransfersWork(transfers);
    }
  }

  private String runOnce(Transfers transfers) {
    if (peer == null || broken) {
      if (peer != null) {
        peer.close();
      }
      FakeDevice.reset(); // the connect is not what is tested
      peer = Peer.connected(transfers, SIZE_MAX);
      broken = false;
    }
    int size = 1 + random.nextInt(SIZE_MAX);
    byte[] content = Peer.random(size, random.nextLong());
    boolean write = random.nextBoolean();
    String fault = armSomething();
    String what = fault + (write ? ", GET of " : ", PUT of ") + size;
    try {
      byte[] moved = write ? get(transfers, content) : put(transfers, content);
      assertThat(moved).as("seed " + seed + ": " + what).isEqualTo(content);
    } catch (TransferException e) {
      broken = true;
      what += ", " + e.failure();
    }
    return what;
  }

  private byte[] get(Transfers transfers, byte[] content) {
    RemoteDescriptor at = peer.window(0, content.length, TransferRight.REMOTE_WRITE);
    peer.get(transfers, at, source(content), content.length, Deadline.in(150), Peer.NEVER);
    return java.util.Arrays.copyOf(peer.bytes(), content.length);
  }

  private byte[] put(Transfers transfers, byte[] content) {
    peer.fill(content);
    byte[] got = new byte[content.length];
    RemoteDescriptor at = peer.window(0, content.length, TransferRight.REMOTE_READ);
    peer.put(transfers, at, Peer.sinkTo(got), content.length, Deadline.in(150), Peer.NEVER);
    return got;
  }

  /** One time in ten the store fails too. */
  private ByteSource source(byte[] content) {
    long failsAt = random.nextInt(10) == 0 ? random.nextInt(content.length) : -1;
    return (position, target) -> {
      if (failsAt >= 0 && position >= failsAt) {
        throw new IOException("the store fails");
      }
      target.put(content, (int) position, target.remaining());
    };
  }

  private String armSomething() {
    int choice = random.nextInt(FAULTS.size() + 2);
    if (choice >= FAULTS.size()) {
      return "no fault";
    }
    Fault fault = FAULTS.get(choice);
    int argument =
        switch (fault) {
          case STATUS -> STATUSES[random.nextInt(STATUSES.length)];
          case POST_ERRNO -> 12;
          default -> 1 + random.nextInt(40);
        };
    int skip = random.nextInt(10);
    // May reach past this transfer's end; then a later one has it.
    FakeDevice.arm(fault, Operation.WRITE_OR_READ, skip, 1, argument);
    return fault + " " + argument + " after " + skip;
  }
}
