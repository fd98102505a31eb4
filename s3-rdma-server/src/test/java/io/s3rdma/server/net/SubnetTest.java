package io.s3rdma.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Networks as the configuration writes them (P-2.7). */
final class SubnetTest {
  @ParameterizedTest
  @CsvSource({
    "10.9.0.0/24, 10.9.0.1, true",
    "10.9.0.0/24, 10.9.0.255, true",
    "10.9.0.0/24, 10.9.1.0, false",
    "10.9.0.77/24, 10.9.0.1, true",
    "10.9.0.0/23, 10.9.1.255, true",
    "10.9.0.0/23, 10.9.2.0, false",
    "10.9.0.4/30, 10.9.0.7, true",
    "10.9.0.4/30, 10.9.0.8, false",
    "10.9.0.1, 10.9.0.1, true",
    "10.9.0.1/32, 10.9.0.2, false",
    "0.0.0.0/0, 203.0.113.9, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "2001:db8::/32, 2001:db8:ffff::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "2001:db8::8000/113, 2001:db8::8001, true",
    "2001:db8::8000/113, 2001:db8::7fff, false",
    "::/0, ::1, true",
    "::/0, 10.0.0.1, false",
  })
  void shouldContainWhenPrefixIsEqual(String network, String address, boolean contained)
      throws Exception {
    assertThat(Subnet.parse(network).contains(InetAddress.getByName(address))).isEqualTo(contained);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/24",
        "10.9.0.0/",
        "10.9.0.0/33",
        "10.9.0.0/-1",
        "10.9.0.0/-0",
        "10.9.0.0/+8",
        "10.9.0.0/24/8",
        "10.9.0.0/999",
        "10.9.0.256/24",
        "10.9.0/24",
        "10.9/16",
        "10",
        "beef",
        "face.cafe",
        "localhost",
        "example.org/24",
        "2001:db8::/129",
        "2001:db8::g/32",
        " 10.9.0.1",
        "10.9.0.0/2 4"
      })
  void shouldRefuseWhenTextIsNoNetwork(String text) {
    assertThatThrownBy(() -> Subnet.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'" + text + "'");
  }
}
