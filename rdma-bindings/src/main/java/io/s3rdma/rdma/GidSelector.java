package io.s3rdma.rdma;

import io.s3rdma.rdma.wire.Gid;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the GID of a connection by type and address, never by a fixed index: index order differs
 * between devices and changes at run time, and a wrong pick is the most frequent fault in the field
 * (rdma-practice 1.1).
 */
public final class GidSelector {
  private GidSelector() {}

  /**
   * The entry to use.
   *
   * @param entries the port's table
   * @param ethernet true for RoCE: only RoCE v2 entries count, zero and link-local ones never do
   * @param local the address that the peer talks to; its exact GID wins. Empty or a loopback
   *     address means any, IPv4 first
   */
  public static Optional<GidEntry> select(
      List<GidEntry> entries, boolean ethernet, Optional<InetAddress> local) {
    List<GidEntry> usable = entries.stream().filter(e -> isUsable(e, ethernet)).toList();
    Optional<Gid> wanted = local.filter(a -> !a.isAnyLocalAddress()).map(Gid::ofInetAddress);
    Optional<GidEntry> exact =
        usable.stream().filter(e -> wanted.isPresent() && e.gid().equals(wanted.get())).findFirst();
    if (exact.isPresent()) {
      return exact;
    }
    // InfiniBand GIDs are no IP addresses: none could match.
    boolean mustMatch = ethernet && local.isPresent() && !isAny(local.get());
    return mustMatch ? Optional.empty() : usable.stream().min(PREFERENCE);
  }

  private static final Comparator<GidEntry> PREFERENCE =
      Comparator.<GidEntry>comparingInt(e -> e.gid().isIpv4Mapped() ? 0 : 1)
          .thenComparingInt(GidEntry::index);

  private static boolean isAny(InetAddress address) {
    return address.isAnyLocalAddress() || address.isLoopbackAddress();
  }

  private static boolean isUsable(GidEntry entry, boolean ethernet) {
    if (entry.gid().isZero()) {
      return false;
    }
    return ethernet
        ? entry.type() == GidType.ROCE_V2 && !entry.gid().isLinkLocal()
        : entry.type() == GidType.INFINIBAND;
  }
}
