package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.server.transfer.RailChoice.Candidate;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which rail a connection goes over. */
final class RailChoiceTest {
  private static final Candidate NET_0 = rail("10.9.0.1", true, 0);
  private static final Candidate NET_1 = rail("10.9.1.1", true, 0);

  private static Candidate rail(String address, boolean usable, int connections) {
    return new Candidate(Optional.of(Gid.ofInetAddress(ip(address))), 96 + 24, usable, connections);
  }

  private static InetAddress ip(String text) {
    return InetAddress.ofLiteral(text);
  }

  private static int choose(String client, String http, Candidate... rails) {
    return RailChoice.choose(
        List.of(rails),
        Gid.ofInetAddress(ip(client)),
        http.isEmpty() ? Optional.empty() : Optional.of(ip(http)));
  }

  @Test
  void shouldTakeTheClientsNetworkWhenHttpCameToAnother() {
    assertThat(choose("10.9.1.7", "10.9.0.1", NET_0, NET_1)).isEqualTo(1);
    assertThat(choose("10.9.0.7", "10.9.1.1", NET_0, NET_1)).isZero();
    assertThat(choose("10.9.1.7", "", NET_0, NET_1)).isEqualTo(1);
  }

  @Test
  void shouldTakeHttpsAddressWhenTheClientIsBehindARouter() {
    assertThat(choose("10.20.0.7", "10.9.1.1", NET_0, NET_1)).isEqualTo(1);
    assertThat(choose("10.20.0.7", "10.9.0.1", NET_0, NET_1)).isZero();
  }

  @Test
  void shouldTakeHttpsAddressWhenRailsShareANetwork() {
    Candidate busy = rail("10.9.0.1", true, 9);
    Candidate idle = rail("10.9.0.2", true, 0);

    assertThat(choose("10.9.0.7", "10.9.0.1", busy, idle)).isZero();
    assertThat(choose("10.9.0.7", "192.168.0.1", busy, idle)).as("fewest").isEqualTo(1);
  }

  @Test
  void shouldTakeTheClientsOwnPortWhenItIsOnThisHost() {
    Candidate other = rail("10.9.0.2", true, 0);
    assertThat(choose("10.9.0.2", "10.9.0.1", NET_0, other)).isEqualTo(1);
  }

  @Test
  void shouldSpreadWhenNothingTells() {
    assertThat(choose("10.20.0.7", "127.0.0.1", rail("10.9.0.1", true, 3), NET_1)).isEqualTo(1);
    assertThat(choose("10.20.0.7", "127.0.0.1", NET_0, rail("10.9.1.1", true, 3))).isZero();
  }

  @Test
  void shouldLeaveOutRailsThatAreDown() {
    Candidate down = rail("10.9.0.1", false, 0);
    assertThat(choose("10.9.0.7", "10.9.0.1", down, rail("10.9.0.2", true, 5))).isEqualTo(1);
    assertThat(choose("10.9.0.7", "10.9.0.1", down, NET_1)).as("does not reach it").isEqualTo(-1);
    assertThat(choose("10.20.0.7", "127.0.0.1", down, NET_1)).isEqualTo(1);
  }

  @Test
  void shouldKnowRailsThatNeverHadAnAddress() {
    Candidate unknown = new Candidate(Optional.empty(), 0, false, 0);
    assertThat(choose("10.9.1.7", "10.9.1.1", unknown, NET_1)).isEqualTo(1);
    assertThat(choose("10.9.1.7", "10.9.1.1", unknown)).isEqualTo(-1);
  }
}
