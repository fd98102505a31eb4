package io.s3rdma.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CounterReaderTest {
  @TempDir private Path root;

  @Test
  void shouldReadEveryNameWhenDeviceIsRxe() {
    FakeSysfs rxe = FakeSysfs.rxe(root).hw("sent_pkts", 10_240).hw("rcvd_pkts", 160);

    CounterSnapshot snapshot = rxe.reader().snapshot();

    assertThat(snapshot.value(Counter.SENT_PKTS)).hasValue(10_240);
    assertThat(snapshot.value(Counter.RCVD_PKTS)).hasValue(160);
    assertThat(snapshot.counters())
        .contains(Counter.COMPLETER_RETRY_ERR, Counter.DUPLICATE_REQUEST, Counter.RDMA_SENDS)
        .doesNotContain(Counter.PORT_XMIT_DATA, Counter.SENT_BYTES, Counter.PACKET_SEQ_ERR);
  }

  @Test
  void shouldReadBothFoldersWhenDeviceIsMlx5() {
    FakeSysfs mlx5 =
        FakeSysfs.mlx5(root).port("port_xmit_packets", 256).hw("local_ack_timeout_err", 3);

    CounterSnapshot snapshot = mlx5.reader().snapshot();

    assertThat(snapshot.value(Counter.PORT_XMIT_PACKETS)).hasValue(256);
    assertThat(snapshot.value(Counter.LOCAL_ACK_TIMEOUT_ERR)).hasValue(3);
    assertThat(snapshot.value(Counter.PORT_XMIT_DATA)).hasValue(0);
    assertThat(snapshot.value(Counter.SENT_PKTS)).isEmpty();
  }

  @Test
  void shouldTellUnitAndWidthWhenCounterIsTyped() {
    assertThat(Counter.PORT_XMIT_DATA.unit()).isEqualTo(Unit.WORDS);
    assertThat(Counter.PORT_XMIT_DATA.widthBits()).isEqualTo(64);
    assertThat(Counter.SENT_BYTES.unit()).isEqualTo(Unit.BYTES);
    assertThat(Counter.PACKET_SEQ_ERR.widthBits()).isEqualTo(32);
  }

  @Test
  void shouldBeAbsentNotZeroWhenFileIsMissing() {
    FakeSysfs rxe = FakeSysfs.rxe(root).remove("hw_counters/sent_pkts");

    assertThat(rxe.reader().snapshot().value(Counter.SENT_PKTS)).isEmpty();
    assertThat(rxe.reader().snapshot().value(Counter.RCVD_PKTS)).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "\n", "N/A (no PMA)\n", "-1\n", "+1\n", "1 2\n", "18446744073709551616\n"})
  void shouldBeAbsentWhenFileHoldsNoNumber(String text) {
    FakeSysfs rxe = FakeSysfs.rxe(root).text("hw_counters/sent_pkts", text);

    assertThat(rxe.reader().read(Counter.SENT_PKTS)).isEmpty();
  }

  @Test
  void shouldReadUnsignedWhenValueHasTopBit() {
    FakeSysfs rxe = FakeSysfs.rxe(root).hw("sent_pkts", -2);

    assertThat(rxe.reader().read(Counter.SENT_PKTS)).isEqualTo(OptionalLong.of(-2));
  }

  @Test
  void shouldBeEmptyWhenDeviceDoesNotExist() {
    CounterReader reader = new CounterReader(root, "mlx5_9", 1);

    assertThat(reader.snapshot().counters()).isEmpty();
    assertThat(reader.freshAfter()).isZero();
    assertThat(reader.disableCaching()).isFalse();
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void shouldAddOneTickWhenKernelCaches() {
    assertThat(FakeSysfs.rxe(root).reader().freshAfter()).isEqualTo(Duration.ofMillis(22));
  }

  @Test
  void shouldAssumeDefaultWhenLifespanIsMissing() {
    FakeSysfs rxe = FakeSysfs.rxe(root).remove("hw_counters/lifespan");

    assertThat(rxe.reader().freshAfter()).isEqualTo(Duration.ofMillis(22));
    assertThat(rxe.reader().disableCaching()).isFalse();
  }

  @Test
  void shouldStillWaitOneTickWhenCachingIsOff() throws Exception {
    FakeSysfs rxe = FakeSysfs.rxe(root);

    assertThat(rxe.reader().disableCaching()).isTrue();
    assertThat(Files.readString(rxe.path("hw_counters/lifespan"))).isEqualTo("0");
    assertThat(rxe.reader().freshAfter()).isEqualTo(CounterReader.TICK_MAX);
  }

  @Test
  void shouldNotWaitWhenCounterIsAskedFromDevice() {
    CounterReader reader = FakeSysfs.mlx5(root).reader();

    assertThat(reader.freshAfter(Counter.PORT_XMIT_PACKETS)).isZero();
    assertThat(reader.freshAfter(Counter.PACKET_SEQ_ERR)).isEqualTo(Duration.ofMillis(22));
  }

  @Test
  void shouldBoundWaitWhenLifespanIsAbsurd() {
    CounterReader reader = FakeSysfs.rxe(root).hw("lifespan", -1).reader();

    assertThat(reader.freshAfter()).isPositive().isLessThan(Duration.ofHours(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "..", ".", "a/b", "../rxe0"})
  void shouldRefuseWhenDeviceIsNoPlainName(String device) {
    assertThatThrownBy(() -> new CounterReader(root, device, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefuseWhenPortIsZero() {
    assertThatThrownBy(() -> new CounterReader(root, "rxe0", 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
