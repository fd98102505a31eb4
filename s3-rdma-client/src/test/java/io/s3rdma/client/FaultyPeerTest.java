package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.client.transport.Grant;
import io.s3rdma.client.transport.RawPeer;
import io.s3rdma.client.transport.RawPeer.Answer;
import io.s3rdma.client.transport.TransportException;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RcToken;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who guesses keys is served by HTTP for a while, and an honest peer of the server is not. */
@Tag("device")
final class FaultyPeerTest {
  private static final int BYTES = 100_000;
  private static final int GUESSES = 3;
  private static final String PATH = "/" + Lab.BUCKET + "/victim";

  private LiveObjects before;
  private Lab lab;
  private RawPeer guesser;
  private HostBuffer object;
  private HostBuffer target;

  @BeforeEach
  void start() throws Exception {
    before = Lab.live();
    // 3 refusals cost 12 points; in an hour they come back.
    lab = new Lab(Map.of("rdma.peer-error-budget", 10, "rdma.peer-error-window-seconds", 3600));
    guesser = new RawPeer(lab.endpoint(), Lab.OTHER_KEY, Lab.SECRET_KEY);
    object = TransferContractTest.random(BYTES, 42);
    target = HostBuffer.allocate(BYTES);
    lab.client().putObject(Lab.BUCKET, "victim", object);
  }

  @AfterEach
  void stop() throws Exception {
    guesser.close();
    object.close();
    target.close();
    lab.close();
    assertThat(Lab.live()).isEqualTo(before);
  }

  private void assertHonestPeerIsServed() {
    target.segment().fill((byte) 0);
    TransferResult result = lab.client().getObject(Lab.BUCKET, "victim", target);
    assertThat(result.transport()).isEqualTo(Transport.RDMA);
    assertThat(result.verdict()).isEqualTo("exact");
    assertThat(target.segment().mismatch(object.segment())).isEqualTo(-1);
  }

  private void guess() throws IOException {
    try (HostBuffer buffer = HostBuffer.allocate(BYTES)) {
      Grant grant = guesser.transport().grant(buffer, BYTES, TransferRight.REMOTE_WRITE);
      RcToken right = RcToken.parse(grant.mint());
      RemoteDescriptor region = right.region();
      String wrong =
          new RcToken(
                  right.connection(),
                  new RemoteDescriptor(
                      region.address(), region.sizeBytes(), region.rkey() ^ 0x5500))
              .encode();
      Answer answer = guesser.withToken("GET", PATH, wrong);
      grant.settle(false);
      assertThat(answer.code()).isEqualTo("RdmaAccessRefused");
    }
  }

  @Test
  void shouldServeAGuesserByHttpAndOthersAsBefore() throws IOException {
    try (HostBuffer buffer = HostBuffer.allocate(BYTES)) {
      Grant open = guesser.transport().grant(buffer, BYTES, TransferRight.REMOTE_WRITE);
      for (int i = 0; i < GUESSES; i++) {
        assertHonestPeerIsServed();
        guess();
      }
      // A connection that it still has is of no use to it.
      Answer declined = guesser.withToken("GET", PATH, open.mint());
      assertThat(declined.status()).isEqualTo(200);
      assertThat(declined.header(RdmaHeaders.REPLY)).hasValue("501");
      assertThat(declined.header(RdmaHeaders.DECLINE_REASON)).hasValue("RdmaDisabled");
      assertThat(declined.body()).hasSize(BYTES);
      open.settle(true);
    }
    try (HostBuffer buffer = HostBuffer.allocate(BYTES);
        RawPeer again = new RawPeer(lab.endpoint(), Lab.OTHER_KEY, Lab.SECRET_KEY)) {
      assertThatThrownBy(() -> again.transport().grant(buffer, BYTES, TransferRight.REMOTE_WRITE))
          .isInstanceOf(TransportException.class)
          .hasMessageContaining("RDMANotSupported");
    }
    assertThat(Metric.read(lab, "s3rdma_rdma_cool_downs_total")).isEqualTo(1.0);
    assertHonestPeerIsServed();
  }

  @Test
  void shouldGiveNoByteWhenTheEndpointIsNotProven() throws IOException { // P-2.10
    try (RawPeer peer = new RawPeer(lab.endpoint(), Lab.ACCESS_KEY, Lab.SECRET_KEY);
        HostBuffer buffer = HostBuffer.allocate(BYTES)) {
      Grant grant = peer.transport().grant(buffer, BYTES, TransferRight.REMOTE_WRITE);
      RcToken proven = RcToken.parse(grant.mint());
      // An endpoint and a region as somebody has seen them who cannot read that memory.
      Answer connected =
          guesser.send(
              "POST",
              RdmaHeaders.CONNECT_PATH,
              Map.of(
                  RdmaHeaders.TOKEN,
                  peer.endpointToken(proven.region()),
                  RdmaHeaders.PSN,
                  "000001",
                  RdmaHeaders.PROOF,
                  "nonce"),
              Map.of(),
              new byte[0]);
      assertThat(connected.header(RdmaHeaders.PROOF)).hasValue("required");
      String session = connected.header(RdmaHeaders.SESSION).orElseThrow();
      String token = "rc:" + session + proven.encode().substring(3 + session.length());
      Answer refused = guesser.withToken("GET", PATH, token);
      assertThat(refused.code()).isEqualTo("RdmaEndpointNotAllowed");
      assertThat(refused.status()).isEqualTo(403);
      assertThat(buffer.segment().asByteBuffer().mismatch(java.nio.ByteBuffer.allocate(BYTES)))
          .isEqualTo(-1);
      Answer guessed =
          guesser.send(
              "POST",
              RdmaHeaders.CONFIRM_PATH,
              Map.of(RdmaHeaders.SESSION, session, RdmaHeaders.PROOF, "00".repeat(32)),
              Map.of(),
              new byte[0]);
      assertThat(guessed.code()).isEqualTo("RdmaEndpointNotAllowed");
      grant.settle(true);
    }
  }
}
