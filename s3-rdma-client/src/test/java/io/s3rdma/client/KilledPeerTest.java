package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.client.transport.Grant;
import io.s3rdma.client.transport.RawPeer;
import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RdmaHeaders;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;

/**
 * Either side killed, the HTTP connection cut and the deadline passed in the middle of a real
 * transfer: nothing leaks, no late byte, an object is there whole or not at all. Needs a fabric:
 * the fake lives in one process.
 */
@Tag("fabric")
@Timeout(180)
final class KilledPeerTest {
  private static final int BYTES = 128 << 20; // seconds on Soft-RoCE
  private static final String SLOTS_USED = "s3rdma_staging_slots_used";
  private static final String CONNECTIONS = "s3rdma_rdma_connections";
  private static final byte POISON = 0x6b;

  @TempDir private Path data;

  private static void put(ServerProcess server, String key, HostBuffer source) {
    try (S3RdmaClient client = server.client().build()) {
      client.s3().createBucket(b -> b.bucket(Lab.BUCKET));
      assertThat(client.putObject(Lab.BUCKET, key, source).verdict()).isEqualTo("exact");
    }
  }

  private static void awaitUnderWay(ServerProcess server) {
    FakeDevice.eventually(() -> server.metric(SLOTS_USED) > 0, "a transfer is under way");
  }

  private static void awaitNothingHeld(ServerProcess server) {
    FakeDevice.eventually(
        () -> server.metric(SLOTS_USED) == 0 && server.metric(CONNECTIONS) == 0,
        "slots and connections are back");
    assertThat(server.metric("s3rdma_staging_slots_lost")).isZero();
    assertThat(server.metric("s3rdma_rdma_drain_failures")).isZero();
  }

  private static void assertStaysPoisoned(HostBuffer buffer) throws InterruptedException {
    buffer.segment().fill(POISON);
    Thread.sleep(1500); // longer than a chunk that is still in the fabric could take
    for (long i = 0; i < buffer.lengthBytes(); i++) {
      if (buffer.segment().get(ValueLayout.JAVA_BYTE, i) != POISON) {
        throw new AssertionError("byte " + i + " changed late");
      }
    }
  }

  @Test
  void shouldFreeEverythingOfAKilledClient() throws Exception {
    try (ServerProcess server =
            ServerProcess.start(data, "-Ds3rdma.rdma.connection-idle-seconds=2");
        HostBuffer source = TransferContractTest.random(BYTES, 1)) {
      put(server, "k", source);
      awaitNothingHeld(server);
      Process client =
          ServerProcess.java(
                  List.of(),
                  EndlessGets.class.getName(),
                  server.endpoint().toString(),
                  "k",
                  Integer.toString(BYTES))
              .start();
      awaitUnderWay(server);
      client.destroyForcibly();
      client.waitFor();
      awaitNothingHeld(server);
      put(server, "after", source);
    }
  }

  @Test
  void shouldLeaveAnObjectWholeOrAbsentWhenTheServerIsKilled() throws Exception {
    LiveObjects before = Lab.live();
    try (HostBuffer source = TransferContractTest.random(BYTES, 2);
        HostBuffer target = HostBuffer.allocate(BYTES)) {
      ServerProcess server = ServerProcess.start(data);
      put(server, "old", source);
      killDuring(server, client -> client.putObject(Lab.BUCKET, "new", source));

      ServerProcess again = ServerProcess.start(data);
      try (S3RdmaClient client = again.client().build()) {
        assertWholeOrAbsent(client, "new");
        assertThat(client.getObject(Lab.BUCKET, "old", target).verdict()).isEqualTo("exact");
        assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
      }
      killDuring(again, client -> client.getObject(Lab.BUCKET, "old", target));
      assertThat(target.lifecycle().isQuarantined()).isFalse();
      assertStaysPoisoned(target); // P-4.9
    }
    assertThat(Lab.live()).isEqualTo(before);
  }

  private interface Use {
    void of(S3RdmaClient client);
  }

  private static void killDuring(ServerProcess server, Use use) throws Exception {
    try (S3RdmaClient client = server.client().attemptsMax(1).build()) {
      AtomicReference<Throwable> failure = new AtomicReference<>();
      CompletableFuture<Void> running =
          CompletableFuture.runAsync(
              () -> {
                try {
                  use.of(client);
                } catch (RuntimeException e) {
                  failure.set(e);
                }
              });
      awaitUnderWay(server);
      server.kill();
      running.join();
      assertThat(failure.get()).isInstanceOf(RdmaRequiredException.class);
    }
  }

  private static void assertWholeOrAbsent(S3RdmaClient client, String key) {
    try {
      HeadObjectResponse head = client.s3().headObject(b -> b.bucket(Lab.BUCKET).key(key));
      assertThat(head.contentLength()).isEqualTo(BYTES);
    } catch (NoSuchKeyException e) {
      assertThat(e.statusCode()).isEqualTo(404);
    }
  }

  @Test
  void shouldStopWhenTheHttpConnectionIsCut() throws Exception {
    try (ServerProcess server =
            ServerProcess.start(data, "-Ds3rdma.rdma.connection-idle-seconds=2");
        HostBuffer source = TransferContractTest.random(BYTES, 3);
        HostBuffer target = HostBuffer.allocate(BYTES);
        RawPeer peer = new RawPeer(server.endpoint(), Lab.ACCESS_KEY, Lab.SECRET_KEY)) {
      put(server, "k", source);
      Grant grant = peer.transport().grant(target, BYTES, TransferRight.REMOTE_WRITE);
      cut(server, peer, grant);
      awaitNothingHeld(server); // P-4.8
      grant.abandon();
      assertStaysPoisoned(target);
    }
  }

  private static void cut(ServerProcess server, RawPeer peer, Grant grant) throws IOException {
    try (Socket _ =
        peer.half("GET", "/" + Lab.BUCKET + "/k", Map.of(RdmaHeaders.TOKEN, grant.mint()))) {
      awaitUnderWay(server);
    }
  }

  @Test
  void shouldEndATransferAtItsDeadline() throws Exception {
    try (ServerProcess server =
            ServerProcess.start(data, "-Ds3rdma.rdma.connection-idle-seconds=2");
        HostBuffer source = TransferContractTest.random(BYTES, 4);
        HostBuffer target = HostBuffer.allocate(BYTES);
        S3RdmaClient hasty = server.client().deadlineMillis(300).attemptsMax(1).build()) {
      put(server, "k", source);
      assertThatThrownBy(() -> hasty.getObject(Lab.BUCKET, "k", target))
          .isInstanceOf(RdmaRequiredException.class)
          .hasMessageContaining("RdmaDeadlineExceeded"); // P-4.8
      assertStaysPoisoned(target);
      awaitNothingHeld(server);
    }
  }
}
