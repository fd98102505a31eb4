package io.s3rdma.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.wire.Gid;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which ports there are, whether they can be used, and which network they are on. */
final class RailFinderTest {
  private static final PortName FIRST = new PortName("fake0", 1);
  private static final PortName SECOND = new PortName("fake1", 1);

  @BeforeEach
  void twoDevices() {
    FakeDevice.reset();
    FakeDevice.devices(2);
  }

  @AfterEach
  void reset() {
    FakeDevice.reset();
  }

  private static Gid gid(String address) {
    return Gid.ofInetAddress(InetAddress.ofLiteral(address));
  }

  @Test
  void shouldNameAllPortsOrThoseThatAreWanted() {
    assertThat(RailFinder.ports(List.of(), 0)).containsExactly(FIRST, SECOND);
    assertThat(RailFinder.ports(List.of("fake1", "fake0/1"), 0)).containsExactly(SECOND, FIRST);
    assertThat(RailFinder.ports(List.of("fake1/2"), 1)).containsExactly(new PortName("fake1", 2));
    assertThat(SECOND).hasToString("fake1/1");
    assertThatThrownBy(() -> RailFinder.ports(List.of("fake7"), 0))
        .isInstanceOf(RdmaException.class)
        .hasMessageContaining("no RDMA device named fake7");
  }

  @Test
  void shouldSayWhyAPortCannotBeUsed() {
    assertThat(RailFinder.look(FIRST, Optional.empty()).rail()).isPresent();
    FakeDevice.port(1, false);
    assertThat(RailFinder.look(SECOND, Optional.empty()))
        .isEqualTo(new RailFinder.Search(Optional.empty(), "fake1/1 is not active (state 1)"));
    FakeDevice.address(0, "192.0.2.1"); // nobody's
    assertThat(RailFinder.look(FIRST, Optional.empty()).cause()).contains("no RoCE v2 GID");
    assertThat(RailFinder.look(new PortName("fake0", 2), Optional.empty()).rail()).isEmpty();
  }

  @Test
  void shouldTellNetworksApart() {
    Gid own = gid("127.0.0.1");
    int bits = RailFinder.networkBits(own, true);
    assertThat(own.sharesBits(gid("127.8.9.1"), bits)).isTrue();
    assertThat(own.sharesBits(gid("10.0.0.1"), bits)).isFalse();
    assertThat(RailFinder.networkBits(gid("192.0.2.1"), true)).as("nobody's").isEqualTo(128);
    assertThat(RailFinder.networkBits(own, false)).as("InfiniBand").isEqualTo(64);
  }

  @Test
  void shouldCompareLeadingBits() {
    Gid a = gid("10.9.0.1");
    assertThat(a.sharesBits(gid("10.9.0.2"), 96 + 24)).isTrue();
    assertThat(a.sharesBits(gid("10.9.1.1"), 96 + 24)).isFalse();
    assertThat(a.sharesBits(gid("10.9.1.1"), 96 + 23)).isTrue();
    assertThat(a.sharesBits(gid("10.9.0.2"), 128)).isFalse();
    assertThat(a.sharesBits(a, 128)).isTrue();
    assertThat(a.sharesBits(gid("fd00::1"), 0)).isTrue();
    assertThat(gid("fd00::1").sharesBits(gid("fd00::2"), 64)).isTrue();
    assertThat(gid("fd00::1").sharesBits(gid("fd00:0:0:1::1"), 64)).isFalse();
    assertThat(gid("fd00::1").sharesBits(gid("fd00:0:0:1::1"), 63)).isTrue();
    assertThat(gid("fd00::1").sharesBits(gid("7d00::1"), 1)).isFalse();
  }
}
