package io.s3rdma.server.transfer;

import io.s3rdma.rdma.wire.Gid;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Which rail a connection goes over. A pure function.
 *
 * <p>The rails that share a network with the client's GID, or where there are none the one whose
 * address the client's HTTP connection came to, or else all. Among those: the client's own port (a
 * peer on this host), then the one that HTTP came to, then the one with the fewest connections.
 * Rails of another group are no substitute for one that is out: nothing says that they reach the
 * client.
 */
final class RailChoice {
  /**
   * What is known of a rail.
   *
   * @param gid its address, also while it is out; empty if it never had one
   * @param networkBits leading bits of it that name its network
   */
  record Candidate(Optional<Gid> gid, int networkBits, boolean usable, int connections) {
    boolean shares(Gid peer) {
      return gid.isPresent() && gid.get().sharesBits(peer, networkBits);
    }

    boolean isAt(Optional<Gid> address) {
      return gid.isPresent() && gid.equals(address);
    }
  }

  private RailChoice() {}

  /** Index of the rail, or -1 if those that come into question are out. */
  static int choose(List<Candidate> rails, Gid client, Optional<InetAddress> httpLocal) {
    Optional<Gid> http = httpLocal.map(Gid::ofInetAddress);
    Predicate<Candidate> group = all -> true;
    if (rails.stream().anyMatch(r -> r.shares(client))) {
      group = r -> r.shares(client);
    } else if (rails.stream().anyMatch(r -> r.isAt(http))) {
      group = r -> r.isAt(http);
    }
    Predicate<Candidate> inGroup = group;
    return IntStream.range(0, rails.size())
        .filter(i -> inGroup.test(rails.get(i)) && rails.get(i).usable())
        .boxed()
        .min(
            Comparator.comparing((Integer i) -> !rails.get(i).isAt(Optional.of(client)))
                .thenComparing(i -> !rails.get(i).isAt(http))
                .thenComparingInt(i -> rails.get(i).connections()))
        .orElse(-1);
  }
}
