package io.s3rdma.rdma.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The three token forms: golden bytes, round trips, every class of malformed text. */
final class TokenTextTest {
  private static final String ID = "00112233445566778899aabbccddeeff";
  private static final String RC = "rc:" + ID + ":00007f3a20000000:00100000:0001c2d4";
  private static final String DC =
      "00007f3a20000000:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a000105";
  private static final String ENDPOINT =
      "012301000000000000000000000000ffff0a000105d4c20100000000203a7f00000000100000000000010000";
  private static final RemoteDescriptor REGION =
      new RemoteDescriptor(0x7f3a20000000L, 1 << 20, 0x0001c2d4);
  private static final Gid GID = Gid.parse("00000000000000000000ffff0a000105");

  @Test
  void shouldWriteGoldenTextWhenRcTokenIsEncoded() { // P-3.1
    RcToken token = new RcToken(ConnectionId.parse(ID), REGION);

    assertThat(token.encode()).isEqualTo(RC);
    assertThat(RdmaToken.parse(RC)).isEqualTo(token);
  }

  @Test
  void shouldAcceptShortAndUpperCaseHexWhenRcTokenIsRead() { // P-3.1
    RdmaToken token =
        RdmaToken.parse("rc:00112233445566778899AABBCCDDEEFF:7F3A20000000:100000:1C2D4");

    assertThat(token.encode()).isEqualTo(RC);
  }

  @Test
  void shouldReadWidestValuesWhenRcTokenIsAtItsLimits() {
    RcToken token = RcToken.parse("rc:" + ID + ":ffffffff00000000:ffffffff:ffffffff");

    assertThat(token.region().sizeBytes()).isEqualTo(RcToken.SIZE_MAX);
    assertThat(token.region().rkey()).isEqualTo(-1);
    assertThat(RcToken.parse(token.encode())).isEqualTo(token);
  }

  @Test
  void shouldWriteGoldenTextWhenDcTokenIsEncoded() { // P-3.3
    DcToken token = new DcToken(REGION, 0, 0xa1b2, true, GID);

    assertThat(token.encode()).isEqualTo(DC).hasSize(81);
    assertThat(RdmaToken.parse(DC)).isEqualTo(token);
  }

  @Test
  void shouldKeepGidWhenDcTokenSaysItIsNotValid() {
    String text = DC.replace(":1:", ":0:");

    DcToken token = DcToken.parse(text);

    assertThat(token.gidValid()).isFalse();
    assertThat(token.encode()).isEqualTo(text);
  }

  @Test
  void shouldWriteGoldenBytesWhenEndpointIsEncoded() { // P-3.2
    EndpointToken token =
        new EndpointToken(
            EndpointToken.Transport.RC, 0x123, GID, 0x0001c2d4, 0x7f3a20000000L, 1 << 20, 1, 0);

    assertThat(token.encode()).isEqualTo(ENDPOINT).hasSize(88);
    assertThat(RdmaToken.parse(ENDPOINT)).isEqualTo(token);
    assertThat(RdmaToken.parse(ENDPOINT.toUpperCase(java.util.Locale.ROOT))).isEqualTo(token);
  }

  @Test
  void shouldPutEveryFieldAtItsOffsetWhenEndpointIsEncoded() { // P-3.2
    EndpointToken token =
        new EndpointToken(
            EndpointToken.Transport.DC,
            0xa1b2c3,
            Gid.parse("fe800000000000000123456789abcdef"),
            0xd4d5d6d7,
            0xe0e1e2e3e4e5e6e7L,
            0x0102030405060708L,
            0xf8,
            0xfafb);

    assertThat(token.encode())
        .isEqualTo(
            "00"
                + "c3b2a100"
                + "fe800000000000000123456789abcdef"
                + "d7d6d5d4"
                + "e7e6e5e4e3e2e1e0"
                + "0807060504030201"
                + "f8"
                + "fbfa");
    assertThat(EndpointToken.parse(token.encode())).isEqualTo(token);
  }

  @Test
  void shouldLeaveRegionZeroWhenEndpointIsForConnect() {
    EndpointToken token = EndpointToken.forConnect(0x123, GID, 1, 0);

    assertThat(token.encode()).isEqualTo("0123010000" + GID.hex() + "0".repeat(40) + "01" + "0000");
    assertThat(EndpointToken.parse(token.encode())).isEqualTo(token);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // nothing
        "rc", // prefix cut
        "rc:", // no fields
        "RC:" + ID + ":1:1:1", // prefix in another case
        "rc:" + ID, // fields missing
        "rc:" + ID + ":1:1", // rkey missing
        "rc:" + ID + ":1:1:1:", // trailing colon
        "rc:" + ID + ":1:1:1:1", // one field too many
        "rc:" + ID + "::1:1", // empty address
        "rc:" + ID + ":1::1", // empty size
        "rc:" + ID + ":1:1:", // empty rkey
        "rc:0" + ID + ":1:1:1", // connection id too long
        "rc:112233445566778899aabbccddeeff:1:1:1", // connection id too short
        "rc:0011223344556677_899aabbccddeeff:1:1:1", // no hex digit in it
        "rc:" + ID + ":00000000000000001:1:1", // address too long
        "rc:" + ID + ":1:000000001:1", // size too long
        "rc:" + ID + ":1:1:000000001", // rkey too long
        "rc:" + ID + ":+1:1:1", // sign
        "rc:" + ID + ":1:-1:1", // sign
        "rc:" + ID + ":0x1:1:1", // radix prefix
        "rc:" + ID + ": 1:1:1", // white space
        "rc:" + ID + ":1:1:1 ", // white space at the end
        "rc:" + ID + ":1:1:1\n", // line end
        " rc:" + ID + ":1:1:1", // white space in front
        "rc:" + ID + ":\u0661:1:1", // Arabic-Indic digit
        "rc:" + ID + ":\uff11:1:1", // full-width digit
        "rc:" + ID + ":1:0:1", // zero size
        "rc:" + ID + ":1:00000000:1", // zero size, padded
        "rc:" + ID + ":ffffffffffffffff:1:1", // address + size = 2^64
        "rc:" + ID + ":fffffffffffffff0:11:1", // past 2^64
      })
  void shouldRefuseWhenRcTokenIsMalformed(String text) { // P-3.4
    assertRefused(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // 80 and 82 characters
        "0007f3a20000000:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a000105",
        "000007f3a20000000:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a000105",
        // 81 characters, digits moved between fields
        "0007f3a20000000:000100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a000105",
        "00007f3a20000000:00100000:0001c2d4:00000:0a1b2:1:00000000000000000000ffff0a000105",
        // zero size, gid flag 2, upper case, non-hex, sign, colon for digit, NUL at the end
        "00007f3a20000000:00000000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a000105",
        "00007f3a20000000:00100000:0001c2d4:0000:00a1b2:2:00000000000000000000ffff0a000105",
        "00007F3a20000000:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a000105",
        "00007f3a20000000:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000FFFF0a000105",
        "00007f3a2000000g:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a000105",
        "00007f3a20000000:+0100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a000105",
        "00007f3a20000000:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a00010:",
        "00007f3a20000000:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a00010\0",
        // address + size past 2^64
        "fffffffffff00000:00100000:0001c2d4:0000:00a1b2:1:00000000000000000000ffff0a000105",
        // the old form with a suffix, 115 characters
        DC + ":00007f3a20000000:0000000000100000",
      })
  void shouldRefuseWhenDcTokenIsMalformed(String text) { // P-3.3, P-3.4
    assertRefused(text);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 02", // transport neither DC nor RC
    "0, ff",
    "2, 00000000", // queue pair 0
    "2, 00000001", // more than 24 bits
    "2, ffffffff",
    "66, 0000000000000080", // length 2^63
    "66, ffffffffffffffff",
    "7, g", // no hex digit
    "86, -1", // sign
    "50, ' f'", // white space
  })
  void shouldRefuseWhenEndpointFieldIsMalformed(int at, String digits) { // P-3.2, P-3.4
    assertRefused(ENDPOINT.substring(0, at) + digits + ENDPOINT.substring(at + digits.length()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ENDPOINT + "0",
        ENDPOINT + "00",
        ENDPOINT + ":00007f3a20000000:0000000000100000", // hipObject's suffix
        "00000000000000000000000000000000000000000000000000000000000000000000000000000000"
            + "00000000", // hipObject's loopback marker
        "0123010000"
            + "00000000000000000000ffff0a000105"
            + "00000000ffffffffffffffff0100000000000000010000", // address + length = 2^64
      })
  void shouldRefuseWhenEndpointTextIsMalformed(String text) {
    assertRefused(text);
  }

  @Test
  void shouldRefuseWhenTokenIsHuge() {
    assertRefused("rc:" + "a".repeat(1 << 20));
    assertRefused("f".repeat(1 << 20));
  }

  @Test
  void shouldNamePositionAndHideValueWhenTokenIsRefused() {
    String text = "rc:" + ID + ":7f3a20000000:10000g:0001c2d4";

    assertThatThrownBy(() -> RdmaToken.parse(text))
        .isInstanceOfSatisfying(
            InvalidTokenException.class, e -> assertThat(e.position()).isEqualTo(text.indexOf('g')))
        .hasMessageContaining("size")
        .hasMessageNotContainingAny("1c2d4", "7f3a2", ID);
  }

  @Test
  void shouldHideKeyWhenTokensArePrinted() {
    for (String text : new String[] {RC, DC, ENDPOINT}) {
      assertThat(RdmaToken.parse(text).toString())
          .doesNotContain("1c2d4", "115412", ID)
          .contains("rkey=hidden");
    }
  }

  private static void assertRefused(String text) {
    assertThatThrownBy(() -> RdmaToken.parse(text))
        .as("token <%s>", text.length() > 200 ? "long" : text)
        .isInstanceOf(InvalidTokenException.class);
  }
}
