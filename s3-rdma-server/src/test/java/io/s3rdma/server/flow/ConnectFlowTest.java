package io.s3rdma.server.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.server.http.Operation;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Section 2 of the contract as requests and answers. */
@Tag("device")
final class ConnectFlowTest {
  @TempDir private Path empty;
  private FlowLab lab;

  @BeforeEach
  void open() {
    lab = new FlowLab(empty);
  }

  @AfterEach
  void close() {
    lab.close();
  }

  private static void assertRefused(S3ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  private S3Response connect(String accessKey, String... headers) throws IOException {
    return lab.connect
        .connecting()
        .handle(lab.request("POST", RdmaHeaders.CONNECT_PATH, accessKey, headers));
  }

  private S3Response disconnect(String accessKey, String... headers) throws IOException {
    return lab.connect
        .disconnecting()
        .handle(lab.request("POST", RdmaHeaders.DISCONNECT_PATH, accessKey, headers));
  }

  @Test
  void shouldAnswerEverythingWhenConnected() throws Exception { // P-2.2
    S3Response answer = lab.connect.connecting().handle(lab.connectRequest());

    assertThat(answer.status()).isEqualTo(200);
    assertThat(FlowLab.header(answer, RdmaHeaders.SESSION)).matches("[0-9a-f]{32}");
    assertThat(FlowLab.header(answer, RdmaHeaders.REPLY)).matches("200:[0-9a-f]{88}");
    assertThat(FlowLab.header(answer, RdmaHeaders.PSN))
        .matches("[0-9a-f]{6}")
        .isNotEqualTo("000000");
    assertThat(FlowLab.header(answer, RdmaHeaders.MTU))
        .isEqualTo(Integer.toString(lab.end.mtuBytes()));
    assertThat(FlowLab.header(answer, RdmaHeaders.RD_ATOMIC)).isEqualTo("4");
    assertThat(lab.transfers.usage().connections()).isEqualTo(1);
  }

  @Test
  void shouldUseOneReadWhenPeerSaysNothing() throws Exception { // P-2.2
    S3Response answer =
        connect(
            FlowLab.KEY,
            RdmaHeaders.TOKEN,
            lab.end.endpoint().encode(),
            RdmaHeaders.PSN,
            lab.end.psn().hex());

    assertThat(FlowLab.header(answer, RdmaHeaders.RD_ATOMIC)).isEqualTo("1");
    assertThat(FlowLab.header(answer, RdmaHeaders.MTU))
        .isEqualTo(Integer.toString(lab.end.mtuBytes()));
  }

  @Test
  void shouldBeIdempotentWhenDisconnecting() throws Exception { // P-2.3, P-2.4
    ConnectionId id = lab.connected();
    assertThat(disconnect("OTHER", RdmaHeaders.SESSION, id.hex()).status()).isEqualTo(204);
    assertThat(lab.transfers.usage().connections()).isEqualTo(1);
    for (int i = 0; i < 2; i++) {
      assertThat(disconnect(FlowLab.KEY, RdmaHeaders.SESSION, id.hex()).status()).isEqualTo(204);
      assertThat(lab.transfers.usage().connections()).isZero();
    }
    assertRefused(
        S3ErrorCode.INVALID_ARGUMENT, () -> disconnect(FlowLab.KEY, RdmaHeaders.SESSION, "xyz"));
    assertRefused(S3ErrorCode.INVALID_RDMA_TOKEN, () -> disconnect(FlowLab.KEY));
  }

  @ParameterizedTest
  @CsvSource({
    "x-s3rdma-mtu, 300",
    "x-s3rdma-mtu, 128",
    "x-s3rdma-mtu, 8192",
    "x-s3rdma-mtu, 4k",
    "x-s3rdma-mtu, -1024",
    "x-s3rdma-mtu, 99999999999",
    "x-s3rdma-rd-atomic, 0",
    "x-s3rdma-rd-atomic, 256",
    "x-s3rdma-rd-atomic, +1",
  })
  void shouldRefuseWhenNumberIsOutOfBounds(String header, String value) { // P-1.9
    assertRefused(
        S3ErrorCode.INVALID_ARGUMENT,
        () ->
            connect(
                FlowLab.KEY,
                RdmaHeaders.TOKEN,
                lab.end.endpoint().encode(),
                RdmaHeaders.PSN,
                lab.end.psn().hex(),
                header,
                value));
    assertThat(lab.transfers.usage().connections()).isZero();
  }

  @Test
  void shouldRefuseWhenEndpointIsMalformed() { // P-3.4
    String token = lab.end.endpoint().encode();
    String psn = lab.end.psn().hex();
    String dc = "00" + token.substring(2);
    String[][] bad = {
      {RdmaHeaders.PSN, psn},
      {RdmaHeaders.TOKEN, token},
      {RdmaHeaders.TOKEN, token.substring(1), RdmaHeaders.PSN, psn},
      {RdmaHeaders.TOKEN, token, RdmaHeaders.PSN, "000000"},
      {RdmaHeaders.TOKEN, token, RdmaHeaders.PSN, "12345"},
      {RdmaHeaders.TOKEN, dc, RdmaHeaders.PSN, psn},
    };
    for (String[] headers : bad) {
      assertRefused(S3ErrorCode.INVALID_RDMA_TOKEN, () -> connect(FlowLab.KEY, headers));
    }
    assertThat(lab.transfers.usage().connections()).isZero();
  }

  @Test
  void shouldRefuseWhenGidIsNotThePeer() throws Exception { // P-2.7: before any packet
    S3Request request = lab.connectRequest();
    S3Request elsewhere =
        FlowLab.request(
            InetAddress.getByName("192.0.2.9"),
            "POST",
            RdmaHeaders.CONNECT_PATH,
            FlowLab.KEY,
            RdmaHeaders.TOKEN,
            request.header(RdmaHeaders.TOKEN).orElseThrow(),
            RdmaHeaders.PSN,
            lab.end.psn().hex());

    assertRefused(
        S3ErrorCode.RDMA_ENDPOINT_NOT_ALLOWED, () -> lab.connect.connecting().handle(elsewhere));
    assertThat(lab.transfers.usage().connections()).isZero();
  }

  @Test
  void shouldRefuseWhenUnsignedAndNotOpened() throws Exception { // P-2.8
    String[] headers = {
      RdmaHeaders.TOKEN, lab.end.endpoint().encode(), RdmaHeaders.PSN, lab.end.psn().hex()
    };
    assertThat(lab.connect.connecting().allowsAnonymous()).isFalse();
    assertRefused(S3ErrorCode.ACCESS_DENIED, () -> connect(null, headers));

    RdmaPath open = RdmaPath.over(lab.transfers, lab.evidence, FlowLab.settings(true));
    Operation connecting = new ConnectFlow(open).connecting();
    assertThat(connecting.allowsAnonymous()).isTrue();
    S3Request unsigned = lab.request("POST", RdmaHeaders.CONNECT_PATH, null, headers);
    assertThat(connecting.handle(unsigned).status()).isEqualTo(200);
  }

  @Test
  void shouldRefuseWhenMethodIsNotPost() {
    assertRefused(
        S3ErrorCode.METHOD_NOT_ALLOWED,
        () ->
            lab.connect
                .connecting()
                .handle(lab.request("GET", RdmaHeaders.CONNECT_PATH, FlowLab.KEY)));
  }

  @Test
  void shouldDeclineWhenThereIsNoRail() throws Exception { // P-1.6, section 6
    RdmaPath none = RdmaPath.none(DeclineReason.RDMA_DISABLED, FlowLab.settings(false));
    ConnectFlow flow = new ConnectFlow(none);

    assertThatThrownBy(() -> flow.connecting().handle(lab.connectRequest()))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.code()).isEqualTo(S3ErrorCode.RDMA_NOT_SUPPORTED);
              assertThat(e.headers().first(RdmaHeaders.REPLY)).contains("501");
              assertThat(e.headers().first(RdmaHeaders.DECLINE_REASON)).contains("RdmaDisabled");
            });
    S3Request bye =
        lab.request(
            "POST",
            RdmaHeaders.DISCONNECT_PATH,
            FlowLab.KEY,
            RdmaHeaders.SESSION,
            ConnectionId.random().hex());
    assertThat(flow.disconnecting().handle(bye).status()).isEqualTo(204);
  }
}
