package io.s3rdma.rdma.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The small values: ids, addresses, sequence numbers, regions, replies, evidence. */
final class WireValuesTest {
  private static final String EVIDENCE =
      "verdict=exact; packets=256; bytes=1048576; device=rxe0/1; http-bytes=0";
  private static final EvidenceText EXACT = new EvidenceText("exact", 256, 1_048_576, "rxe0", 1, 0);

  @Test
  void shouldShowEightDigitsWhenConnectionIdIsPrinted() { // P-2.2
    ConnectionId id = ConnectionId.parse("00112233445566778899AABBCCDDEEFF");

    assertThat(id.hex()).isEqualTo("00112233445566778899aabbccddeeff");
    assertThat(id).hasToString("00112233…");
    assertThat(id)
        .isEqualTo(ConnectionId.parse(id.hex()))
        .hasSameHashCodeAs(ConnectionId.parse(id.hex()));
  }

  @Test
  void shouldDifferWhenConnectionIdsAreRandom() {
    Set<ConnectionId> ids = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      ids.add(ConnectionId.random());
    }
    assertThat(ids).hasSize(1_000);
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.1.5, 00000000000000000000ffff0a000105, true, false",
    "169.254.7.9, 00000000000000000000ffffa9fe0709, true, true",
    "fe80::1, fe800000000000000000000000000001, false, true",
    "febf::1, febf0000000000000000000000000001, false, true",
    "fec0::1, fec00000000000000000000000000001, false, false",
    "2001:db8::7, 20010db8000000000000000000000007, false, false",
  })
  void shouldMatchAddressWhenGidIsConverted(
      String address, String hex, boolean mapped, boolean linkLocal) throws Exception {
    InetAddress inet = InetAddress.getByName(address);

    Gid gid = Gid.ofInetAddress(inet);

    assertThat(gid.hex()).isEqualTo(hex);
    assertThat(gid).isEqualTo(Gid.parse(hex)).isEqualTo(Gid.ofBytes(gid.toBytes()));
    assertThat(gid.toInetAddress()).isEqualTo(inet);
    assertThat(gid.toInetAddress()).isInstanceOf(mapped ? Inet4Address.class : Inet6Address.class);
    assertThat(gid.isIpv4Mapped()).isEqualTo(mapped);
    assertThat(gid.isLinkLocal()).isEqualTo(linkLocal);
    assertThat(gid.isZero()).isFalse();
  }

  @Test
  void shouldBeZeroWhenAllBytesAreZero() {
    assertThat(Gid.ofBytes(new byte[16]).isZero()).isTrue();
    assertThat(Gid.ofBytes(new byte[16]).isIpv4Mapped()).isFalse();
    assertThatThrownBy(() -> Gid.ofBytes(new byte[15])).isInstanceOf(WireFormatException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "00000",
        "0000000",
        "000000",
        "00000g",
        "+00001",
        " 00001",
        "\u0661\u0661\u0661\u0661\u0661\u0661"
      })
  void shouldRefuseWhenPsnIsMalformedOrZero(String text) { // P-2.2
    assertThatThrownBy(() -> Psn.parse(text)).isInstanceOf(WireFormatException.class);
  }

  @Test
  void shouldKeepSixDigitsWhenPsnIsWritten() {
    assertThat(Psn.parse("00000A").hex()).isEqualTo("00000a");
    assertThat(Psn.parse("FFFFFF").value()).isEqualTo(0xffffff);
    assertThatThrownBy(() -> new Psn(0x1000000)).isInstanceOf(WireFormatException.class);
    for (int i = 0; i < 10_000; i++) {
      assertThat(Psn.random().value()).isBetween(1, 0xffffff);
    }
  }

  @Test
  void shouldAddressPartsWhenRegionIsHighInMemory() {
    RemoteDescriptor region = new RemoteDescriptor(-4096, 4095, 7);

    assertThat(region.addressOf(0, 4095)).isEqualTo(-4096);
    assertThat(region.addressOf(4095, 0)).isEqualTo(-1);
    assertThat(region)
        .hasToString("RemoteDescriptor[address=0xfffffffffffff000, sizeBytes=4095, rkey=hidden]");
  }

  @ParameterizedTest
  @CsvSource({"-4096, 4096", "-1, 1", "0, 0", "0, -1", "-1, 9223372036854775807"})
  void shouldRefuseWhenRegionIsEmptyOrWraps(long address, long size) { // P-3.4
    assertThatThrownBy(() -> new RemoteDescriptor(address, size, 1))
        .isInstanceOf(WireFormatException.class);
  }

  @ParameterizedTest
  @CsvSource({"-1, 1", "0, 101", "1, 100", "100, 1", "9223372036854775807, 1", "1, -1"})
  void shouldRefuseWhenPartReachesPastRegion(long offset, long length) {
    RemoteDescriptor region = new RemoteDescriptor(4096, 100, 1);

    assertThatThrownBy(() -> region.addressOf(offset, length))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @EnumSource(DeclineReason.class)
  void shouldRoundTripWhenDeclineReasonIsKnown(DeclineReason reason) { // P-6
    assertThat(DeclineReason.ofWireText(reason.wireText())).contains(reason);
  }

  @Test
  void shouldMatchContractWhenDeclineReasonsAreListed() { // P-6
    assertThat(DeclineReason.values())
        .extracting(DeclineReason::wireText)
        .containsExactly(
            "RdmaDisabled",
            "NoDevice",
            "PortDown",
            "NoDcTransport",
            "UnsupportedTokenKind",
            "NoStagingMemory",
            "ObjectTooSmall",
            "Draining");
    assertThat(DeclineReason.ofWireText("nodevice")).isEmpty();
  }

  @Test
  void shouldRoundTripWhenReplyIsKnown() { // P-1.2, P-2.2
    Reply connected =
        Reply.connected(
            EndpointToken.forConnect(0x11, Gid.parse("00000000000000000000ffff0a000105"), 1, 0));
    for (Reply reply : new Reply[] {Reply.WHOLE, Reply.PARTIAL, Reply.DECLINED, connected}) {
      assertThat(Reply.parse(reply.encode())).isEqualTo(reply);
    }
    assertThat(Reply.PARTIAL.encode()).isEqualTo("206");
    assertThat(Reply.PARTIAL.moved()).isTrue();
    assertThat(Reply.DECLINED.moved()).isFalse();
    assertThat(connected.encode()).startsWith("200:01110000").hasSize(92);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "204", "0200", "+200", "200 ", " 200", "200:", "206:00", "501:00", "200;"})
  void shouldRefuseWhenReplyIsMalformed(String text) {
    assertThatThrownBy(() -> Reply.parse(text)).isInstanceOf(WireFormatException.class);
  }

  @Test
  void shouldMatchContractWhenEvidenceIsWritten() { // P-5.5
    assertThat(EXACT.encode()).isEqualTo(EVIDENCE);
    assertThat(EvidenceText.parse(EVIDENCE)).isEqualTo(EXACT);
  }

  @Test
  void shouldIgnoreUnknownKeysWhenEvidenceIsRead() { // P-1.12
    String text =
        "rail=2;http-bytes=0;device=rxe0/1 ;\tbytes=1048576;  packets=256;verdict=exact; x=";

    assertThat(EvidenceText.parse(text)).isEqualTo(EXACT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "verdict=exact",
        EVIDENCE + ";",
        EVIDENCE + "; packets=1",
        EVIDENCE + "; novalue",
        EVIDENCE + "; =1",
        "verdict=EXACT; packets=256; bytes=1; device=rxe0/1; http-bytes=0",
        "verdict=; packets=256; bytes=1; device=rxe0/1; http-bytes=0",
        "verdict=exact; packets=-1; bytes=1; device=rxe0/1; http-bytes=0",
        "verdict=exact; packets=+1; bytes=1; device=rxe0/1; http-bytes=0",
        "verdict=exact; packets=1; bytes=9223372036854775808; device=rxe0/1; http-bytes=0",
        "verdict=exact; packets=1; bytes=1; device=rxe0; http-bytes=0",
        "verdict=exact; packets=1; bytes=1; device=/1; http-bytes=0",
        "verdict=exact; packets=1; bytes=1; device=rxe0/0; http-bytes=0",
        "verdict=exact; packets=1; bytes=1; device=rxe0/4294967297; http-bytes=0",
        "verdict=exact; packets=1; bytes=1; device=rx e0/1; http-bytes=0",
        "verdict=exact; packets=\u0661; bytes=1; device=rxe0/1; http-bytes=0",
      })
  void shouldRefuseWhenEvidenceIsMalformed(String text) {
    assertThatThrownBy(() -> EvidenceText.parse(text)).isInstanceOf(WireFormatException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1048576", "9223372036854775807", "0000000000000000007"})
  void shouldReadWhenDecimalIsInRange(String text) {
    assertThat(WireDecimal.parse("count", text)).isEqualTo(Long.parseLong(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "+1",
        " 1",
        "1 ",
        "1/2",
        "9223372036854775808",
        "99999999999999999999",
        "\u0661"
      })
  void shouldRefuseWhenDecimalIsMalformed(String text) {
    assertThatThrownBy(() -> WireDecimal.parse("count", text))
        .isInstanceOf(WireFormatException.class);
  }
}
