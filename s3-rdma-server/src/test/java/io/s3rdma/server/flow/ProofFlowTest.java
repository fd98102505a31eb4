package io.s3rdma.server.flow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Psn;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.Reply;
import io.s3rdma.server.http.CancelSignal;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.Identity;
import io.s3rdma.server.http.RequestBody;
import io.s3rdma.server.http.RequestHead;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The proof that an endpoint is the client's own, as requests and answers (P-2.10, P-2.11). */
@Tag("device")
final class ProofFlowTest {
  private static final int BYTES = 32;

  @TempDir private Path empty;
  private FlowLab lab;
  private ProofFlow flow;
  private MemorySegment memory;
  private MemoryRegion region;

  @BeforeEach
  void open() {
    lab = new FlowLab(empty);
    flow = new ProofFlow(lab.path);
    memory = lab.end.memory(BYTES);
    region = lab.end.domain().register(memory, Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
  }

  @AfterEach
  void close() {
    region.close();
    lab.close();
  }

  private static void assertRefused(S3ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  private EndpointToken endpoint(long length) {
    EndpointToken bare = lab.end.endpoint();
    return new EndpointToken(
        bare.transport(),
        bare.qpNumber(),
        bare.gid(),
        region.remoteKey().value(),
        region.address(),
        length,
        bare.port(),
        bare.lid());
  }

  private S3Response connect(ConnectFlow connect, long length, String... more) throws IOException {
    String[] headers = {
      RdmaHeaders.TOKEN, endpoint(length).encode(), RdmaHeaders.PSN, lab.end.psn().hex()
    };
    String[] all = java.util.Arrays.copyOf(headers, headers.length + more.length);
    System.arraycopy(more, 0, all, headers.length, more.length);
    return connect
        .connecting()
        .handle(lab.request("POST", RdmaHeaders.CONNECT_PATH, FlowLab.KEY, all));
  }

  /** Connects with the offer, and this side's queue pair with the answer. */
  private ConnectionId connected() throws IOException {
    S3Response answer = connect(lab.connect, BYTES, RdmaHeaders.PROOF, "nonce");
    assertThat(FlowLab.header(answer, RdmaHeaders.PROOF)).isEqualTo("required");
    lab.end.connect(
        Reply.parse(FlowLab.header(answer, RdmaHeaders.REPLY)).endpoint().orElseThrow(),
        Psn.parse(FlowLab.header(answer, RdmaHeaders.PSN)),
        Integer.parseInt(FlowLab.header(answer, RdmaHeaders.MTU)));
    return ConnectionId.parse(FlowLab.header(answer, RdmaHeaders.SESSION));
  }

  private S3Response challenge(ConnectionId id) throws IOException {
    return flow.challenging()
        .handle(
            lab.request(
                "POST", RdmaHeaders.CHALLENGE_PATH, FlowLab.KEY, RdmaHeaders.SESSION, id.hex()));
  }

  private S3Response confirm(ConnectionId id, String nonce, Set<String> signed) throws IOException {
    RequestHead head =
        RequestHead.of(
            "POST",
            RdmaHeaders.CONFIRM_PATH,
            Headers.of(RdmaHeaders.SESSION, id.hex(), RdmaHeaders.PROOF, nonce),
            lab.end.gid().toInetAddress(),
            "REQUEST2");
    return flow.confirming()
        .handle(
            new S3Request(
                head,
                "",
                "",
                io.s3rdma.server.http.Access.of(new Identity(FlowLab.KEY, signed)),
                RequestBody.empty(),
                new CancelSignal()));
  }

  private S3Response confirm(ConnectionId id, String nonce) throws IOException {
    return confirm(id, nonce, Set.of(RdmaHeaders.PROOF));
  }

  private String told() {
    return HexFormat.of().formatHex(memory.toArray(JAVA_BYTE));
  }

  @Test
  void shouldAnswerNoContentWhenTheNonceIsTold() throws Exception {
    ConnectionId id = connected();
    assertThat(challenge(id).status()).isEqualTo(204);
    assertThat(confirm(id, told()).status()).isEqualTo(204);
    lab.transfers.lease(id, FlowLab.KEY).close();
  }

  @Test
  void shouldRefuseTheEndpointWhenTheNonceIsWrong() throws Exception {
    ConnectionId id = connected();
    challenge(id);
    assertRefused(S3ErrorCode.RDMA_ENDPOINT_NOT_ALLOWED, () -> confirm(id, "0".repeat(2 * BYTES)));
    assertRefused(S3ErrorCode.NO_SUCH_RDMA_CONNECTION, () -> confirm(id, told()));
    assertThat(lab.transfers.usage().connections()).isZero();
  }

  @Test
  void shouldDenyWhenTheNonceIsNotUnderTheSignature() throws Exception {
    ConnectionId id = connected();
    challenge(id);
    assertRefused(S3ErrorCode.ACCESS_DENIED, () -> confirm(id, told(), Set.of()));
    assertThat(confirm(id, told()).status()).isEqualTo(204);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "00", "zz", "+1", "0x00"})
  void shouldRefuseWhenTheNonceIsNoHex(String text) throws Exception {
    ConnectionId id = connected();
    challenge(id);
    String padded = text.length() < 2 ? text : text.repeat(BYTES - 1);
    assertRefused(S3ErrorCode.INVALID_ARGUMENT, () -> confirm(id, padded));
    assertThat(confirm(id, told()).status()).as("nothing was used up").isEqualTo(204);
  }

  @Test
  void shouldRefuseWhenTheRegionIsTooSmallForTheOffer() {
    assertRefused(
        S3ErrorCode.INVALID_RDMA_TOKEN,
        () -> connect(lab.connect, BYTES - 1, RdmaHeaders.PROOF, "nonce"));
    assertThat(lab.transfers.usage().connections()).isZero();
  }

  @Test
  void shouldConnectAsBeforeWhenAPeerKnowsNoProof() throws Exception { // P-1.12
    for (long length : new long[] {0, BYTES}) {
      S3Response answer = connect(lab.connect, length);
      assertThat(answer.headers().first(RdmaHeaders.PROOF)).isEmpty();
      ConnectionId id = ConnectionId.parse(FlowLab.header(answer, RdmaHeaders.SESSION));
      lab.transfers.lease(id, FlowLab.KEY).close();
    }
  }

  @Test
  void shouldRefuseWhoOffersNothingWhenTheRuleIsOn() throws Exception {
    ConnectFlow strict = new ConnectFlow(with(RdmaSettings.PeerProof.ON));
    assertRefused(S3ErrorCode.RDMA_ENDPOINT_NOT_ALLOWED, () -> connect(strict, 0));
    assertThat(lab.transfers.usage().connections()).isZero();
    S3Response offered = connect(strict, BYTES, RdmaHeaders.PROOF, "nonce");
    assertThat(FlowLab.header(offered, RdmaHeaders.PROOF)).isEqualTo("required");
  }

  @Test
  void shouldAskForNothingWhenTheRuleIsOff() throws Exception {
    ConnectFlow open = new ConnectFlow(with(RdmaSettings.PeerProof.OFF));
    S3Response answer = connect(open, BYTES, RdmaHeaders.PROOF, "nonce");
    assertThat(answer.headers().first(RdmaHeaders.PROOF)).isEmpty();
    ConnectionId id = ConnectionId.parse(FlowLab.header(answer, RdmaHeaders.SESSION));
    lab.transfers.lease(id, FlowLab.KEY).close();
  }

  private RdmaPath with(RdmaSettings.PeerProof rule) {
    return RdmaPath.over(
        lab.transfers, lab.evidence, new RdmaSettings(60_000, 120_000, 0, List.of(), false, rule));
  }

  @Test
  void shouldDeclineConnectsWhenThePeerCoolsDown() throws Exception { // P-2.12
    String psn = lab.end.psn().hex();
    ConnectionId id = connected();
    for (int i = 0; i < 64; i++) { // nothing was asked, so the connection stays
      assertRefused(S3ErrorCode.RDMA_ENDPOINT_NOT_ALLOWED, () -> confirm(id, told()));
    }
    assertThatThrownBy(
            () ->
                lab.connect
                    .connecting()
                    .handle(
                        lab.request(
                            "POST",
                            RdmaHeaders.CONNECT_PATH,
                            FlowLab.KEY,
                            RdmaHeaders.TOKEN,
                            lab.end.endpoint().encode(),
                            RdmaHeaders.PSN,
                            psn)))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.code()).isEqualTo(S3ErrorCode.RDMA_NOT_SUPPORTED);
              assertThat(e.headers().first(RdmaHeaders.REPLY)).contains("501");
              assertThat(e.headers().first(RdmaHeaders.DECLINE_REASON)).contains("RdmaDisabled");
            });
    assertThat(lab.transfers.coolDowns()).isEqualTo(1);
    S3Request other =
        lab.request(
            "POST",
            RdmaHeaders.CONNECT_PATH,
            "OTHER",
            RdmaHeaders.TOKEN,
            lab.end.endpoint().encode(),
            RdmaHeaders.PSN,
            psn);
    assertThat(lab.connect.connecting().handle(other).status()).isEqualTo(200);
  }
}
