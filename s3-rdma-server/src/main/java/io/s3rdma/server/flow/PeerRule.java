package io.s3rdma.server.flow;

import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.server.net.Subnet;
import java.net.InetAddress;
import java.util.List;

/**
 * P-2.7: whether a client's GID may be connected to. A descriptor to a third host would make this
 * server write to or read from a victim, so the GID must be the HTTP peer itself or lie in a
 * configured network. A peer on a loopback address is this host: its GIDs are this host's.
 */
final class PeerRule {
  private final List<Subnet> subnets;

  PeerRule(List<Subnet> subnets) {
    this.subnets = List.copyOf(subnets);
  }

  boolean allows(Gid gid, InetAddress peer) {
    if (gid.isZero()) {
      return false;
    }
    InetAddress address = gid.toInetAddress();
    if (address.equals(peer) || subnets.stream().anyMatch(s -> s.contains(address))) {
      return true;
    }
    return peer.isLoopbackAddress() && RailFinder.isOfThisHost(address);
  }
}
