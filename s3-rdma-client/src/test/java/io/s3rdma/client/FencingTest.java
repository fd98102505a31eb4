package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.client.transport.Grant;
import io.s3rdma.client.transport.RawPeer;
import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.FakeDevice.Fault;
import io.s3rdma.rdma.FakeDevice.Operation;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RdmaHeaders;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/**
 * Faults of the device, end to end: the clause's answer, no late byte, nothing left behind (P-4.5,
 * P-4.8, P-4.9).
 */
@ParameterizedClass(name = "leanHttp = {0}")
@ValueSource(booleans = {true, false})
final class FencingTest {
  private static final int BYTES = 5 << 20;
  private static final byte POISON = 0x6b;

  @Parameter private boolean lean;
  private LiveObjects before;
  private Lab lab;
  private S3RdmaClient once;
  private HostBuffer source;
  private HostBuffer target;

  @BeforeEach
  void start() throws Exception {
    FakeDevice.reset();
    before = Lab.live();
    // Without the nonce's WRITE of each connect: the faults are counted in WRITEs of objects.
    Map<String, Object> more =
        Map.of("rdma.connection-idle-seconds", 1, "rdma.require-peer-proof", "off");
    lab = new Lab(more, lean);
    once = lab.builder().attemptsMax(1).deadlineMillis(700).build();
    source = TransferContractTest.random(BYTES, 11);
    target = HostBuffer.allocate(BYTES);
    lab.client().putObject(Lab.BUCKET, "k", source);
  }

  @AfterEach
  void leavesNothingBehind() throws Exception {
    FakeDevice.reset();
    target.segment().fill((byte) 0);
    assertThat(lab.client().getObject(Lab.BUCKET, "k", target).verdict()).isEqualTo("exact");
    assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
    source.close();
    target.close();
    once.close();
    lab.close();
    assertThat(Lab.live()).isEqualTo(before);
  }

  private void poisonAndWait(long millis) throws InterruptedException {
    target.segment().fill(POISON);
    Thread.sleep(millis); // the fault's own delay has to pass; there is nothing to await
    for (long i = 0; i < BYTES; i++) {
      if (target.segment().get(ValueLayout.JAVA_BYTE, i) != POISON) {
        throw new AssertionError("byte " + i + " changed after the client had given up");
      }
    }
  }

  /** wc status numbers; P-6. */
  @ParameterizedTest
  @CsvSource({
    "1, RdmaTransferFailed", "2, RdmaTransferFailed", "4, RdmaTransferFailed",
    "5, RdmaTransferFailed", "8, RdmaTransferFailed", "9, RdmaAccessRefused",
    "10, RdmaAccessRefused", "11, RdmaTransferFailed", "12, RdmaTransferFailed",
    "13, RdmaTransferFailed", "19, RdmaTransferFailed", "21, RdmaTransferFailed"
  })
  void shouldAnswerEachCompletionErrorByItsClause(int status, String code) {
    FakeDevice.arm(Fault.STATUS, Operation.WRITE, 2, 1, status);
    assertThatThrownBy(() -> once.getObject(Lab.BUCKET, "k", target))
        .isInstanceOf(RdmaRequiredException.class)
        .hasMessageContaining(code);

    FakeDevice.arm(Fault.STATUS, Operation.READ, 2, 1, status);
    assertThatThrownBy(() -> once.putObject(Lab.BUCKET, "new", source))
        .isInstanceOf(RdmaRequiredException.class)
        .hasMessageContaining(code);
    assertAbsent("new");
  }

  private void assertAbsent(String key) {
    assertThatThrownBy(() -> lab.client().s3().headObject(b -> b.bucket(Lab.BUCKET).key(key)))
        .isInstanceOf(NoSuchKeyException.class);
  }

  @Test
  void shouldRetryAFabricErrorWithAFreshConnection() {
    FakeDevice.arm(Fault.STATUS, Operation.WRITE, 2, 1, 12);
    TransferResult result = lab.client().getObject(Lab.BUCKET, "k", target);
    assertThat(result.attempts()).isEqualTo(2);
    assertThat(result.verdict()).isEqualTo("exact");
    assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
  }

  @Test
  void shouldEndAtTheDeadlineWhenThePeerIsABlackHole() throws Exception {
    FakeDevice.arm(Fault.STALL, Operation.WRITE, 1, 1, 0);
    long start = System.nanoTime();
    assertThatThrownBy(() -> once.getObject(Lab.BUCKET, "k", target))
        .isInstanceOf(RdmaRequiredException.class)
        .hasMessageContaining("RdmaDeadlineExceeded"); // P-4.8
    assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
    poisonAndWait(300);
  }

  @Test
  void shouldNotLetALateWriteThrough() throws Exception {
    FakeDevice.arm(Fault.LATE_WRITE_MILLIS, Operation.WRITE, 1, 3, 400);
    assertThatThrownBy(() -> once.getObject(Lab.BUCKET, "k", target))
        .isInstanceOf(RdmaRequiredException.class);
    poisonAndWait(700); // P-4.9
    assertThat(target.lifecycle().isQuarantined()).isFalse();
  }

  @Test
  void shouldFailARequestThatTheCountersContradict() {
    FakeDevice.arm(Fault.PSN_SKIP, Operation.WRITE, 0, 1, 1);
    assertThatThrownBy(() -> once.getObject(Lab.BUCKET, "k", target))
        .isInstanceOf(RdmaRequiredException.class)
        .hasMessageContaining("RdmaEvidenceContradicted"); // P-5.4

    FakeDevice.arm(Fault.SHORT_BYTES, Operation.READ, 1, 1, 100);
    assertThatThrownBy(() -> once.putObject(Lab.BUCKET, "short", source))
        .isInstanceOf(RdmaRequiredException.class);
    assertAbsent("short"); // P-4.5
  }

  @Test
  void shouldStopAndFreeEverythingWhenTheHttpConnectionCloses() throws Exception {
    try (RawPeer peer = new RawPeer(lab.endpoint(), Lab.ACCESS_KEY, Lab.SECRET_KEY)) {
      FakeDevice.arm(Fault.STALL, Operation.WRITE, 1, 1, 0);
      Grant grant = peer.transport().grant(target, BYTES, TransferRight.REMOTE_WRITE);
      long writes = FakeDevice.executed(Operation.WRITE);
      try (Socket _ =
          peer.half("GET", "/" + Lab.BUCKET + "/k", Map.of(RdmaHeaders.TOKEN, grant.mint()))) {
        FakeDevice.eventually(
            () -> FakeDevice.executed(Operation.WRITE) > writes, "the transfer is under way");
      }
      // P-4.8: a closed HTTP connection is a cancel; the server ends its half.
      FakeDevice.eventually(
          () -> metric("s3rdma_staging_slots_used") == 0, "the slots are given back");
      grant.abandon();
      poisonAndWait(100);
    }
  }

  private double metric(String name) {
    return Metric.read(lab, name);
  }

  @Test
  void shouldUseHttpWhileThePortIsDownAndComeBack() {
    try (S3RdmaClient prefer = lab.builder().policy(RdmaPolicy.PREFER).build()) {
      prefer.getObject(Lab.BUCKET, "k", target);
      FakeDevice.port(0, false);
      FakeDevice.eventually(
          () -> prefer.getObject(Lab.BUCKET, "k", target).transport() == Transport.HTTP,
          "HTTP takes over");
      FakeDevice.eventually(
          () -> metric("s3rdma_rail_up{rail=\"fake0/1\"}") == 0, "the server's rail is out");
      TransferResult down = prefer.getObject(Lab.BUCKET, "k", target);
      // Both sides have this port: the server declines, or the client has noticed before it.
      assertThat(down.httpReason())
          .hasValueSatisfying(r -> assertThat(r).containsAnyOf("PortDown", "fake0/1 is down"));
      FakeDevice.port(0, true);
      FakeDevice.eventually(
          () -> prefer.getObject(Lab.BUCKET, "k", target).transport() == Transport.RDMA,
          "the rail comes back");
    }
  }

  @Test
  void shouldSurviveAFailedRegistration() {
    try (HostBuffer fresh = HostBuffer.allocate(4096)) {
      FakeDevice.arm(Fault.REGISTER_ERRNO, Operation.WRITE_OR_READ, 0, 1, 12);
      assertThatThrownBy(() -> once.putObject(Lab.BUCKET, "r", fresh))
          .isInstanceOf(RdmaRequiredException.class)
          .hasMessageContaining("ENOMEM");
      assertThat(once.putObject(Lab.BUCKET, "r", fresh).verdict()).isEqualTo("exact");
    }
  }

  @Test
  void shouldRefuseToFreeABufferInFlight() throws Exception {
    // Long enough for the metric to be seen on a busy machine; a patient client.
    FakeDevice.arm(Fault.DELAY_MILLIS, Operation.WRITE, 0, 1, 2000);
    Thread get = Thread.ofPlatform().start(() -> lab.client().getObject(Lab.BUCKET, "k", target));
    FakeDevice.eventually(
        () -> metric("s3rdma_staging_slots_used") > 0, "the transfer is under way");
    assertThatThrownBy(() -> target.close()).hasMessageContaining("in flight");
    get.join();
  }
}
