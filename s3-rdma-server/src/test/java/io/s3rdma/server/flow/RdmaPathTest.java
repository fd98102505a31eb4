package io.s3rdma.server.flow;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.counters.Verdict;
import io.s3rdma.rdma.FakeDevice;
import io.s3rdma.rdma.FakeDevice.Fault;
import io.s3rdma.rdma.FakeDevice.Operation;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.EvidenceText;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.negotiation.Decision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Negotiate, move, prove, state: the steps that GET and PUT share, with faults of the device. */
final class RdmaPathTest {
  private static final int SIZE = FlowLab.SIZE;

  @TempDir private Path empty;
  private final byte[] content = new byte[SIZE];
  private FlowLab lab;
  private ConnectionId id;

  @BeforeEach
  void open() throws IOException {
    FakeDevice.reset();
    lab = new FlowLab(empty);
    id = lab.connected();
    new Random(5).nextBytes(content);
  }

  @AfterEach
  void close() {
    FakeDevice.reset();
    lab.close();
  }

  private S3Request get(String... more) {
    return requestOf("GET", TransferRight.REMOTE_WRITE, more);
  }

  private S3Request put() {
    return requestOf("PUT", TransferRight.REMOTE_READ);
  }

  private S3Request requestOf(String method, TransferRight right, String... more) {
    String[] headers = new String[more.length + 2];
    headers[0] = RdmaHeaders.TOKEN;
    headers[1] = lab.token(id, right);
    System.arraycopy(more, 0, headers, 2, more.length);
    return lab.request(method, "/bucket/key", FlowLab.KEY, headers);
  }

  private Optional<EvidenceText> write(S3Request request) throws IOException {
    Decision.Rdma plan = (Decision.Rdma) lab.path.forGet(request, SIZE);
    return lab.path.write(
        request, plan, (at, target) -> target.put(content, (int) at, target.remaining()));
  }

  private Optional<EvidenceText> read(S3Request request, byte[] into) throws IOException {
    Decision.Rdma plan = (Decision.Rdma) lab.path.forPut(request);
    int[] at = new int[1];
    return lab.path.read(
        request,
        plan,
        bytes -> {
          int n = bytes.remaining();
          bytes.get(into, at[0], n);
          at[0] += n;
        });
  }

  private static void assertRefused(S3ErrorCode code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code));
  }

  private void assertConnectionGone() {
    assertThat(lab.transfers.usage().connections()).isZero();
    assertThat(lab.transfers.usage().slotsInUse()).isZero();
    assertThat(lab.path.log().recent()).hasSize(1);
  }

  @Test
  void shouldProveBothDirectionsWhenAllIsWell() throws Exception { // P-5.4, P-5.5
    EvidenceText written = write(get()).orElseThrow();
    assertThat(lab.memory.toArray(JAVA_BYTE)).isEqualTo(content);
    byte[] got = new byte[SIZE];
    EvidenceText wasRead = read(put(), got).orElseThrow();
    assertThat(got).isEqualTo(content);

    int packets = (SIZE + lab.end.mtuBytes() - 1) / lab.end.mtuBytes();
    assertThat(written).isEqualTo(wasRead);
    assertThat(written.encode())
        .isEqualTo(
            "verdict=exact; packets=%d; bytes=%d; device=%s/1; http-bytes=0"
                .formatted(packets, SIZE, lab.transfers.ports().getFirst().device()));
    assertThat(lab.evidence.count(Verdict.EXACT)).isEqualTo(2);
    assertThat(lab.path.log().recent())
        .extracting(TransferRecord::outcome)
        .containsExactly("exact", "exact");
    assertThat(lab.path.counts().failures()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"PSN_SKIP", "SHORT_BYTES"})
  void shouldFailWhenEvidenceContradicts(Fault fault) throws Exception { // P-4.5, P-5.4
    S3Request request = get();
    FakeDevice.arm(fault, Operation.WRITE, 2, 1, 1);

    assertRefused(S3ErrorCode.RDMA_EVIDENCE_CONTRADICTED, () -> write(request));
    assertThat(lab.evidence.count(Verdict.CONTRADICTED)).isEqualTo(1);
    assertThat(lab.path.log().recent().getFirst().outcome()).isEqualTo("contradicted");
    assertConnectionGone();
  }

  @ParameterizedTest
  @CsvSource({
    "10, RDMA_ACCESS_REFUSED",
    "9, RDMA_ACCESS_REFUSED",
    "12, RDMA_TRANSFER_FAILED",
    "11, RDMA_TRANSFER_FAILED",
    "4, RDMA_TRANSFER_FAILED",
  })
  void shouldAnswerTheCodeWhenCompletionFails(int status, S3ErrorCode code) { // section 6
    S3Request request = put();
    FakeDevice.arm(Fault.STATUS, Operation.READ, 1, 1, status);

    assertRefused(code, () -> read(request, new byte[SIZE]));
    assertThat(lab.path.counts().failures()).isEqualTo(1);
    assertThat(lab.path.log().recent().getFirst().bytes()).isEqualTo(SIZE);
    assertConnectionGone();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "100"})
  void shouldAnswerDeadlineWhenClientsPatienceEnds(String millis) { // P-1.7, P-4.8
    S3Request request = get(RdmaHeaders.DEADLINE_MILLIS, millis);
    FakeDevice.arm(Fault.STALL, Operation.WRITE, 0, 1, 0);

    assertRefused(S3ErrorCode.RDMA_DEADLINE_EXCEEDED, () -> write(request));
    assertConnectionGone();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "1e3", "soon", "1234567890"})
  void shouldRefuseWhenDeadlineIsNoNumber(String text) throws Exception { // P-1.7
    assertRefused(
        S3ErrorCode.INVALID_ARGUMENT, () -> write(get(RdmaHeaders.DEADLINE_MILLIS, text)));
    assertThat(write(get())).as("nothing happened to the connection").isPresent();
  }

  @Test
  void shouldAnswerDeadlineWhenHttpConnectionClosed() { // P-4.8
    S3Request request = get();
    request.cancel().cancel();

    assertRefused(S3ErrorCode.RDMA_DEADLINE_EXCEEDED, () -> write(request));
    assertThat(FakeDevice.executed(Operation.WRITE)).isZero();
    assertConnectionGone();
  }

  @Test
  void shouldKeepStoresOwnFailureWhenStoreFails() {
    S3Request request = get();
    Decision.Rdma plan = (Decision.Rdma) lab.path.forGet(request, SIZE);
    IOException cause = new IOException("disk gone");

    assertThatThrownBy(
            () ->
                lab.path.write(
                    request,
                    plan,
                    (at, target) -> {
                      throw cause;
                    }))
        .isSameAs(cause);
    assertConnectionGone();
  }

  @Test
  void shouldAnswerNotFoundWhenConnectionIsForeign() { // P-2.4
    String token = lab.token(id, TransferRight.REMOTE_WRITE);
    for (String accessKey : new String[] {"OTHER", null}) {
      S3Request request = lab.request("GET", "/bucket/key", accessKey, RdmaHeaders.TOKEN, token);
      assertRefused(S3ErrorCode.NO_SUCH_RDMA_CONNECTION, () -> write(request));
    }
    assertThat(FakeDevice.executed(Operation.WRITE)).isZero();
  }

  @Test
  void shouldRefuseBeforeMovingWhenRequestIsWrong() { // P-4.1
    S3Request tooSmall = get();
    assertRefused(S3ErrorCode.RDMA_WINDOW_TOO_SMALL, () -> lab.path.forGet(tooSmall, SIZE + 1));
    S3Request malformed = lab.request("GET", "/bucket/key", FlowLab.KEY, RdmaHeaders.TOKEN, "rc:0");
    assertRefused(S3ErrorCode.INVALID_RDMA_TOKEN, () -> lab.path.forGet(malformed, 1));
    String token = lab.token(id, TransferRight.REMOTE_READ);
    for (String[] body :
        new String[][] {{"content-length", "1"}, {"transfer-encoding", "chunked"}}) {
      S3Request withBody =
          lab.request(
              "PUT", "/bucket/key", FlowLab.KEY, RdmaHeaders.TOKEN, token, body[0], body[1]);
      assertRefused(S3ErrorCode.INVALID_REQUEST, () -> lab.path.forPut(withBody));
    }
  }

  @Test
  void shouldDeclineWhenPortIsDown() { // P-1.6
    FakeDevice.port(0, false);
    FakeDevice.eventually(() -> lab.transfers.unusable().isPresent(), "port down is noticed");

    assertThat(lab.path.forGet(get(), SIZE))
        .isEqualTo(new Decision.Declined(DeclineReason.PORT_DOWN));
    S3Response answer = lab.path.declined(S3Response.of(206), DeclineReason.PORT_DOWN);
    assertThat(answer.status()).isEqualTo(206); // P-4.7: the body carries the range
    assertThat(FlowLab.header(answer, RdmaHeaders.REPLY)).isEqualTo("501");
    assertThat(FlowLab.header(answer, RdmaHeaders.DECLINE_REASON)).isEqualTo("PortDown");
    assertThat(lab.path.counts().declines(DeclineReason.PORT_DOWN)).isEqualTo(1);

    assertThatThrownBy(() -> lab.connect.connecting().handle(lab.connectRequest()))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.code()).isEqualTo(S3ErrorCode.RDMA_NOT_SUPPORTED);
              assertThat(e.headers().first(RdmaHeaders.DECLINE_REASON)).contains("PortDown");
            });
    // The rail is out first, then what it carried ends; see Rail.
    FakeDevice.eventually(() -> lab.transfers.usage().connections() == 0, "none is left");
  }

  @ParameterizedTest
  @CsvSource({"200, 200", "206, 206"})
  void shouldRepeatStatusInReplyWhenMoved(int status, String reply) { // P-1.3, P-1.10, P-1.11
    EvidenceText proof = new EvidenceText("exact", 1, 5, "fake0", 1, 0);
    S3Response answer = lab.path.moved(status, Headers.of("etag", "e"), 5, Optional.of(proof));

    assertThat(answer.status()).isEqualTo(status);
    assertThat(FlowLab.header(answer, RdmaHeaders.REPLY)).isEqualTo(reply);
    assertThat(FlowLab.header(answer, RdmaHeaders.BYTES_TRANSFERRED)).isEqualTo("5");
    assertThat(FlowLab.header(answer, RdmaHeaders.EVIDENCE)).isEqualTo(proof.encode());
    assertThat(FlowLab.header(answer, "etag")).isEqualTo("e");
    S3Response none = lab.path.nothingMoved(status, Headers.EMPTY); // P-4.4
    assertThat(FlowLab.header(none, RdmaHeaders.BYTES_TRANSFERRED)).isEqualTo("0");
    assertThat(FlowLab.header(none, RdmaHeaders.REPLY)).isEqualTo(reply);
  }
}
