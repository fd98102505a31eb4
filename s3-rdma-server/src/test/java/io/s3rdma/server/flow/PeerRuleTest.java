package io.s3rdma.server.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.server.net.Subnet;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** P-2.7: never follow a descriptor to a third host. */
final class PeerRuleTest {
  @ParameterizedTest
  @CsvSource({
    // gid, HTTP peer, configured networks, allowed
    "10.9.0.2, 10.9.0.2, -, true",
    "10.9.0.3, 10.9.0.2, -, false",
    "10.9.0.3, 10.9.0.2, 10.9.0.0/24, true",
    "10.9.1.3, 10.9.0.2, 10.9.0.0/24, false",
    "10.9.1.3, 10.9.0.2, 10.9.0.0/24 10.9.1.0/24, true",
    "2001:db8::2, 2001:db8::2, -, true",
    "2001:db8::3, 2001:db8::2, -, false",
    "2001:db8::3, 10.9.0.2, 2001:db8::/64, true",
    "10.9.0.2, 2001:db8::2, -, false",
    // This host's own addresses only for a peer on loopback.
    "127.0.0.1, 127.0.0.1, -, true",
    "127.0.0.1, ::1, -, true",
    "127.0.0.1, 10.9.0.2, -, false",
    "192.0.2.77, 127.0.0.1, -, false",
  })
  void shouldAllowWhenGidIsPeerOrListed(String gid, String peer, String networks, boolean allowed)
      throws Exception {
    List<Subnet> subnets =
        networks.equals("-")
            ? List.of()
            : Arrays.stream(networks.split(" ", -1)).map(Subnet::parse).toList();

    boolean answer =
        new PeerRule(subnets)
            .allows(Gid.ofInetAddress(InetAddress.getByName(gid)), InetAddress.getByName(peer));

    assertThat(answer).isEqualTo(allowed);
  }

  @Test
  void shouldRefuseWhenGidIsZero() throws Exception {
    Gid zero = Gid.ofBytes(new byte[Gid.BYTES]);

    assertThat(new PeerRule(List.of(Subnet.parse("::/0"))).allows(zero, zero.toInetAddress()))
        .isFalse();
  }
}
