package io.s3rdma.server.negotiation;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.DcToken;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.rdma.wire.RcToken;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.negotiation.Decision.Declined;
import io.s3rdma.server.negotiation.Decision.NothingToMove;
import io.s3rdma.server.negotiation.Decision.PlainHttp;
import io.s3rdma.server.negotiation.Decision.Rdma;
import io.s3rdma.server.negotiation.Decision.Refusal;
import io.s3rdma.server.negotiation.Decision.Refused;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of token, in each direction, for each state of the server. */
final class NegotiatorTest {
  private static final Capabilities ABLE = new Capabilities(Optional.empty(), 0);
  private static final Gid GID = Gid.parse("00000000000000000000ffff0a090002");

  private static RcToken rc(long size) {
    return new RcToken(ConnectionId.random(), new RemoteDescriptor(0x7f00_0000_1000L, size, 0xabc));
  }

  private static Optional<String> rcText(long size) {
    return Optional.of(rc(size).encode());
  }

  private static Optional<String> dcText(long size) {
    return Optional.of(
        new DcToken(new RemoteDescriptor(0x1000, size, 7), 0, 0x123, true, GID).encode());
  }

  private static Optional<String> endpointText() {
    return Optional.of(EndpointToken.forConnect(0x11, GID, 1, 0).encode());
  }

  private static Capabilities unable(DeclineReason reason) {
    return new Capabilities(Optional.of(reason), 0);
  }

  @ParameterizedTest
  @EnumSource(DeclineReason.class)
  void shouldBePlainWhenThereIsNoToken(DeclineReason reason) {
    for (Capabilities capabilities : new Capabilities[] {ABLE, unable(reason)}) {
      assertThat(Negotiator.forGet(Optional.empty(), 5, capabilities)).isEqualTo(new PlainHttp());
      assertThat(Negotiator.forPut(Optional.empty(), true, capabilities))
          .isEqualTo(new PlainHttp());
      assertThat(Negotiator.forPut(Optional.empty(), false, capabilities))
          .isEqualTo(new PlainHttp());
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "4096, 1", "4096, 4095", "4096, 4096", "4294967295, 4294967295"})
  void shouldMoveTheSelectionWhenWindowHasRoom(long window, long selected) { // P-4.2
    RcToken token = rc(window);

    assertThat(Negotiator.forGet(Optional.of(token.encode()), selected, ABLE))
        .isEqualTo(new Rdma(token, selected));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 4096, 4294967295L})
  void shouldMoveExactlyTheTokensSizeWhenPutting(long size) { // P-4.3
    RcToken token = rc(size);

    assertThat(Negotiator.forPut(Optional.of(token.encode()), false, ABLE))
        .isEqualTo(new Rdma(token, size));
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "4096, 4097", "4294967295, 4294967296", "1, 9223372036854775807"})
  void shouldRefuseWhenWindowIsTooSmall(long window, long selected) { // P-4.2
    assertThat(Negotiator.forGet(rcText(window), selected, ABLE))
        .isInstanceOfSatisfying(
            Refused.class,
            r -> {
              assertThat(r.refusal()).isEqualTo(Refusal.WINDOW_TOO_SMALL);
              assertThat(r.message()).contains(window + " bytes").contains("" + selected);
            });
  }

  @Test
  void shouldHaveNothingToMoveWhenSelectionIsEmpty() { // P-4.4
    assertThat(Negotiator.forGet(rcText(4096), 0, ABLE)).isEqualTo(new NothingToMove());
    // Not even where small objects are declined: there is nothing that HTTP could carry faster.
    assertThat(Negotiator.forGet(rcText(4096), 0, new Capabilities(Optional.empty(), 1024)))
        .isEqualTo(new NothingToMove());
  }

  @ParameterizedTest
  @CsvSource({"1023, true", "1024, false", "1025, false"})
  void shouldDeclineWhenObjectIsTooSmall(long bytes, boolean declined) {
    Capabilities capabilities = new Capabilities(Optional.empty(), 1024);
    Decision get = Negotiator.forGet(rcText(4096), bytes, capabilities);
    Decision put = Negotiator.forPut(rcText(bytes), false, capabilities);

    if (declined) {
      assertThat(get).isEqualTo(new Declined(DeclineReason.OBJECT_TOO_SMALL)).isEqualTo(put);
    } else {
      assertThat(get)
          .isInstanceOfSatisfying(Rdma.class, r -> assertThat(r.bytes()).isEqualTo(bytes));
      assertThat(put)
          .isInstanceOfSatisfying(Rdma.class, r -> assertThat(r.bytes()).isEqualTo(bytes));
    }
  }

  @Test
  void shouldRefuseWhenWindowIsTooSmallForATooSmallObject() { // the client's fault comes first
    assertThat(Negotiator.forGet(rcText(10), 11, new Capabilities(Optional.empty(), 1024)))
        .isInstanceOfSatisfying(
            Refused.class, r -> assertThat(r.refusal()).isEqualTo(Refusal.WINDOW_TOO_SMALL));
  }

  @ParameterizedTest
  @EnumSource(DeclineReason.class)
  void shouldDeclineWithReasonWhenServerIsUnable(DeclineReason reason) { // P-4.7
    Capabilities capabilities = unable(reason);
    Declined declined = new Declined(reason);

    assertThat(Negotiator.forGet(rcText(4096), 10, capabilities)).isEqualTo(declined);
    assertThat(Negotiator.forGet(dcText(4096), 10, capabilities)).isEqualTo(declined);
    assertThat(Negotiator.forGet(endpointText(), 10, capabilities)).isEqualTo(declined);
    assertThat(Negotiator.forPut(rcText(4096), false, capabilities)).isEqualTo(declined);
    assertThat(Negotiator.forPut(dcText(4096), false, capabilities)).isEqualTo(declined);
    assertThat(Negotiator.forPut(endpointText(), false, capabilities)).isEqualTo(declined);
  }

  @Test
  void shouldDeclineWhenTokenKindIsOfAnotherTransport() { // P-3.3
    assertThat(Negotiator.forGet(dcText(1), 10, ABLE))
        .isEqualTo(new Declined(DeclineReason.NO_DC_TRANSPORT));
    assertThat(Negotiator.forPut(dcText(1), false, ABLE))
        .isEqualTo(new Declined(DeclineReason.NO_DC_TRANSPORT));
    assertThat(Negotiator.forGet(endpointText(), 10, ABLE))
        .isEqualTo(new Declined(DeclineReason.UNSUPPORTED_TOKEN_KIND));
    assertThat(Negotiator.forPut(endpointText(), false, ABLE))
        .isEqualTo(new Declined(DeclineReason.UNSUPPORTED_TOKEN_KIND));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "rc:",
        "nonsense",
        "rc:00112233445566778899aabbccddeeff:1000:0:1", // P-4.4: no zero size
        "rc:00112233445566778899aabbccddeeff:ffffffffffffffff:10:1", // overflow
        "rc:00112233445566778899aabbccddeef:1000:10:1",
        "rc:00112233445566778899aabbccddeeff:1000:10:1 ",
      })
  void shouldRefuseWhenTokenIsMalformed(String text) { // P-3.4: whatever the server can do
    for (DeclineReason reason : DeclineReason.values()) {
      assertInvalid(Negotiator.forGet(Optional.of(text), 10, unable(reason)));
      assertInvalid(Negotiator.forPut(Optional.of(text), false, unable(reason)));
    }
    assertInvalid(Negotiator.forGet(Optional.of(text), 0, ABLE));
    assertInvalid(Negotiator.forPut(Optional.of(text), false, ABLE));
  }

  private static void assertInvalid(Decision decision) {
    assertThat(decision)
        .isInstanceOfSatisfying(
            Refused.class, r -> assertThat(r.refusal()).isEqualTo(Refusal.INVALID_TOKEN));
  }

  @Test
  void shouldNotRepeatTheTokenWhenItIsMalformed() { // P-3.4: never log a whole token or rkey
    String text = "rc:00112233445566778899aabbccddeeff:1000:10:cafebabe0";

    assertThat(Negotiator.forGet(Optional.of(text), 10, ABLE))
        .isInstanceOfSatisfying(
            Refused.class, r -> assertThat(r.message()).doesNotContain("cafebabe"));
  }

  @Test
  void shouldRefuseWhenBodyComesNextToToken() { // P-4.3: also where the token would be declined
    for (Optional<String> text :
        java.util.List.of(rcText(10), dcText(10), endpointText(), Optional.of("nonsense"))) {
      for (Capabilities capabilities :
          new Capabilities[] {ABLE, unable(DeclineReason.RDMA_DISABLED)}) {
        assertThat(Negotiator.forPut(text, true, capabilities))
            .isInstanceOfSatisfying(
                Refused.class, r -> assertThat(r.refusal()).isEqualTo(Refusal.BODY_WITH_TOKEN));
      }
    }
  }
}
