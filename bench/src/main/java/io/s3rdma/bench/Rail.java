package io.s3rdma.bench;

import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.wire.Gid;
import java.net.InetAddress;
import java.util.Optional;

/** The device port that everything here is measured on. */
record Rail(String device, int port, int gidIndex, Gid gid, int mtuBytes) {
  /** The first usable one; a fake device is refused, since no figure may come from it. */
  static Rail find() {
    if (!Rdma.libraryAvailability().available() || !Rdma.provider().equals("verbs")) {
      throw new IllegalStateException(
          "figures need libibverbs: " + Rdma.libraryAvailability().cause());
    }
    RailFinder.Search search = RailFinder.find(Optional.empty(), 1, Optional.empty());
    RailFinder.FoundRail found =
        search
            .rail()
            .orElseThrow(() -> new IllegalStateException("no RDMA device: " + search.cause()));
    return new Rail(
        found.device(),
        found.port(),
        found.gid().index(),
        found.gid().gid(),
        found.attributes().activeMtuBytes());
  }

  InetAddress address() {
    return gid.toInetAddress();
  }
}
