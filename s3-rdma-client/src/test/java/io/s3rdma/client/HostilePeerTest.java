package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.client.transport.Grant;
import io.s3rdma.client.transport.RawPeer;
import io.s3rdma.client.transport.RawPeer.Answer;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.rdma.wire.Psn;
import io.s3rdma.rdma.wire.RcToken;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a wrong or malicious client gets: the clause's answer, and nothing else is hurt. */
@Tag("device")
final class HostilePeerTest {
  private static final int BYTES = 100_000;
  private static final String PATH = "/" + Lab.BUCKET + "/victim";
  private static LiveObjects before;
  private static Lab lab;
  private static RawPeer peer;
  private static HostBuffer object;

  @BeforeAll
  static void start() throws Exception {
    before = Lab.live();
    lab = new Lab();
    peer = new RawPeer(lab.endpoint(), Lab.ACCESS_KEY, Lab.SECRET_KEY);
    object = TransferContractTest.random(BYTES, 42);
    lab.client().putObject(Lab.BUCKET, "victim", object);
  }

  @AfterAll
  static void stop() throws Exception {
    object.close();
    peer.close();
    lab.close();
    assertThat(Lab.live()).isEqualTo(before);
  }

  @AfterEach
  void othersAreUnhurt() {
    try (HostBuffer target = HostBuffer.allocate(BYTES)) {
      assertThat(lab.client().getObject(Lab.BUCKET, "victim", target).verdict()).isEqualTo("exact");
      assertThat(target.segment().mismatch(object.segment())).isEqualTo(-1);
    }
  }

  private static void expect(Answer answer, int status, String code) {
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.header(RdmaHeaders.REPLY))
        .as("no reply header on refusals (P-1.2)")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "rc:",
        "rc:0123456789abcdef0123456789abcdef:1000:10:1:",
        "rc:0123456789abcdef0123456789abcdef:1000:0:1",
        "rc:0123456789abcdef0123456789abcdef:-1:10:1",
        "rc:0123456789abcdef0123456789abcdef:ffffffffffffffff:10:1",
        "rc:0123456789abcdef0123456789abcdeg:1000:10:1",
        "rc:0123456789abcdef0123456789abcdef:1000:100000000:1",
        "00007f3a20000000:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a00010",
        "012301000000000000000000000000ffff0a000105d4c20100000000203a7f0000000010000000000001000"
      })
  void shouldRefuseMalformedTokens(String token) throws IOException {
    expect(peer.withToken("GET", PATH, token), 400, "InvalidRDMAToken"); // P-3.4
    expect(peer.withToken("PUT", PATH, token), 400, "InvalidRDMAToken");
  }

  @Test
  void shouldRefuseATokenOutsideTheSignature() throws IOException {
    try (HostBuffer buffer = HostBuffer.allocate(BYTES)) {
      Grant grant = peer.transport().grant(buffer, BYTES, TransferRight.REMOTE_WRITE);
      Answer answer =
          peer.send("GET", PATH, Map.of(), Map.of(RdmaHeaders.TOKEN, grant.mint()), new byte[0]);
      grant.settle(true);
      expect(answer, 403, "AccessDenied"); // P-1.1
      assertUntouched(buffer);
    }
  }

  private static void assertUntouched(HostBuffer buffer) {
    assertThat(buffer.segment().asByteBuffer().mismatch(java.nio.ByteBuffer.allocate(BYTES)))
        .isEqualTo(-1);
  }

  @Test
  void shouldRefuseAnotherKeysConnection() throws IOException {
    try (HostBuffer buffer = HostBuffer.allocate(BYTES);
        RawPeer thief = new RawPeer(lab.endpoint(), Lab.OTHER_KEY, Lab.SECRET_KEY)) {
      Grant grant = peer.transport().grant(buffer, BYTES, TransferRight.REMOTE_WRITE);
      expect(thief.withToken("GET", PATH, grant.mint()), 404, "NoSuchRdmaConnection"); // P-2.4
      assertUntouched(buffer);
      grant.settle(true);
    }
  }

  @Test
  void shouldRefuseAWindowSmallerThanTheSelection() throws IOException {
    try (HostBuffer buffer = HostBuffer.allocate(BYTES)) {
      Grant grant = peer.transport().grant(buffer, BYTES - 1, TransferRight.REMOTE_WRITE);
      expect(peer.withToken("GET", PATH, grant.mint()), 400, "RdmaWindowTooSmall"); // P-4.2
      assertUntouched(buffer);
      grant.settle(true);
    }
  }

  @Test
  void shouldReportAWrongKeyAsTheClientsFault() throws IOException {
    try (HostBuffer buffer = HostBuffer.allocate(BYTES)) {
      Grant grant = peer.transport().grant(buffer, BYTES, TransferRight.REMOTE_WRITE);
      RcToken right = RcToken.parse(grant.mint());
      RemoteDescriptor region = right.region();
      String wrong =
          new RcToken(
                  right.connection(),
                  new RemoteDescriptor(
                      region.address(), region.sizeBytes(), region.rkey() ^ 0x5500))
              .encode();
      expect(peer.withToken("GET", PATH, wrong), 400, "RdmaAccessRefused"); // P-6
      // P-2.5: a failed transfer ends the connection.
      expect(peer.withToken("GET", PATH, right.encode()), 404, "NoSuchRdmaConnection");
      assertUntouched(buffer);
      grant.settle(false);
    }
  }

  @Test
  void shouldNotWriteBeyondTheBoundWindow() throws IOException {
    try (HostBuffer buffer = HostBuffer.allocate(BYTES)) {
      Grant grant = peer.transport().grant(buffer, 50_000, TransferRight.REMOTE_WRITE);
      RcToken honest = RcToken.parse(grant.mint());
      String lie =
          new RcToken(
                  honest.connection(),
                  new RemoteDescriptor(honest.region().address(), BYTES, honest.region().rkey()))
              .encode();
      expect(peer.withToken("GET", PATH, lie), 400, "RdmaAccessRefused");
      for (int i = 50_000; i < BYTES; i++) {
        assertThat(buffer.segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, i)).isZero();
      }
      grant.settle(false);
    }
  }

  @Test
  void shouldNotReadAGetBufferNorWriteAPutBuffer() throws IOException {
    try (HostBuffer buffer = HostBuffer.allocate(BYTES)) {
      Grant get = peer.transport().grant(buffer, BYTES, TransferRight.REMOTE_WRITE);
      String path = "/" + Lab.BUCKET + "/stolen";
      expect(peer.withToken("PUT", path, get.mint()), 400, "RdmaAccessRefused"); // P-4.11
      get.settle(false);
      expect(peer.send("GET", path, Map.of(), Map.of(), new byte[0]), 404, "NoSuchKey");

      Grant put = peer.transport().grant(buffer, BYTES, TransferRight.REMOTE_READ);
      expect(peer.withToken("GET", PATH, put.mint()), 400, "RdmaAccessRefused");
      put.settle(false);
      assertUntouched(buffer);
    }
  }

  @Test
  void shouldRefuseTheGidOfAThirdHost() throws IOException {
    Gid third = Gid.ofInetAddress(InetAddress.getByName("203.0.113.7"));
    Answer answer =
        peer.send(
            "POST",
            RdmaHeaders.CONNECT_PATH,
            Map.of(
                RdmaHeaders.TOKEN,
                EndpointToken.forConnect(77, third, 1, 0).encode(),
                RdmaHeaders.PSN,
                Psn.random().hex()),
            Map.of(),
            new byte[0]);
    expect(answer, 403, "RdmaEndpointNotAllowed"); // P-2.7
  }

  @Test
  void shouldRefuseAnUnsignedConnect() throws IOException {
    RawPeer nobody = new RawPeer(lab.endpoint(), "NOBODY", "wrong");
    try (nobody) {
      Answer answer =
          nobody.send("POST", RdmaHeaders.CONNECT_PATH, Map.of(), Map.of(), new byte[0]);
      assertThat(answer.status()).isEqualTo(403);
    }
  }

  @Test
  void shouldRefuseABodyNextToAToken() throws IOException {
    try (HostBuffer buffer = HostBuffer.allocate(BYTES)) {
      Grant grant = peer.transport().grant(buffer, BYTES, TransferRight.REMOTE_READ);
      Answer answer =
          peer.send(
              "PUT",
              "/" + Lab.BUCKET + "/both",
              Map.of(RdmaHeaders.TOKEN, grant.mint()),
              Map.of(),
              new byte[] {1, 2, 3});
      expect(answer, 400, "InvalidRequest"); // P-4.3
      grant.settle(true);
    }
  }

  @Test
  void shouldDeclineADcTokenAndSendTheBytesByHttp() throws IOException {
    String dc = "00007f3a20000000:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a000105";
    Answer get = peer.withToken("GET", PATH, dc);
    assertThat(get.status()).isEqualTo(200); // P-4.7
    assertThat(get.header(RdmaHeaders.REPLY)).hasValue("501");
    assertThat(get.header(RdmaHeaders.DECLINE_REASON)).hasValue("NoDcTransport");
    assertThat(get.body()).hasSize(BYTES);

    Answer put = peer.withToken("PUT", "/" + Lab.BUCKET + "/dc", dc);
    assertThat(put.status()).isEqualTo(501);
    assertThat(put.code()).isEqualTo("RDMANotSupported");
    assertThat(put.header(RdmaHeaders.REPLY)).hasValue("501");
  }

  @Test
  void shouldIgnoreATokenOnHead() throws IOException {
    Answer head = peer.withToken("HEAD", PATH, "rc:0123456789abcdef0123456789abcdef:1000:10:1");
    assertThat(head.status()).isEqualTo(200); // P-1.13
    assertThat(head.header("Content-Length")).hasValue(Integer.toString(BYTES));
    assertThat(head.header(RdmaHeaders.REPLY)).isEmpty();
  }

  @Test
  void shouldRefuseS3ErrorsBeforeAnyPacket() throws IOException {
    try (HostBuffer buffer = HostBuffer.allocate(BYTES)) {
      Grant grant = peer.transport().grant(buffer, BYTES, TransferRight.REMOTE_WRITE);
      String token = grant.mint();
      expect(peer.withToken("GET", "/" + Lab.BUCKET + "/absent", token), 404, "NoSuchKey");
      Answer precondition =
          peer.send(
              "GET",
              PATH,
              Map.of(RdmaHeaders.TOKEN, token, "If-Match", "\"other\""),
              Map.of(),
              new byte[0]);
      expect(precondition, 412, "PreconditionFailed"); // P-4.1
      // The connection is as good as before.
      Answer good = peer.withToken("GET", PATH, token);
      assertThat(good.status()).isEqualTo(200);
      assertThat(good.header(RdmaHeaders.BYTES_TRANSFERRED)).hasValue(Integer.toString(BYTES));
      assertThat(good.body()).isEmpty();
      grant.settle(true);
    }
  }
}
