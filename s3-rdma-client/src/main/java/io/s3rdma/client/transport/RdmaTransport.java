package io.s3rdma.client.transport;

import io.s3rdma.rdma.MemoryPlace;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.Topology;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * The RDMA side of a client: the rails towards one server, their connections and registrations.
 * Thread-safe. Close after all transfers: connections, registrations, rails.
 */
public final class RdmaTransport implements AutoCloseable {
  private final List<RailPool> rails;
  private final Topology topology = Topology.ofSystem();
  private final AtomicInteger turn = new AtomicInteger();

  private RdmaTransport(List<RailPool> rails) {
    this.rails = rails;
  }

  /**
   * Opens the rails; no connection yet.
   *
   * @param http for connect and disconnect; stays the caller's
   * @throws TransportException with the cause if no device here reaches the server
   */
  public static RdmaTransport open(TransportConfig config, SdkHttpClient http) {
    try {
      ControlPlane control = new ControlPlane(config, http);
      Semaphore permits = new Semaphore(config.connectionsMax(), true);
      return new RdmaTransport(
          ClientRail.openAll(config).stream()
              .map(rail -> new RailPool(rail, config, control, permits))
              .toList());
    } catch (RdmaException e) {
      throw new TransportException(e.getMessage(), e);
    }
  }

  /** Devices and ports in use, the one that HTTP leaves by first. */
  public String rail() {
    return rails.stream().map(r -> r.rail().name()).collect(Collectors.joining(", "));
  }

  /**
   * Grants the server access to the first {@code lengthBytes} of the buffer, over the nearest rail
   * that works.
   *
   * @throws TransportException if no connection can be had
   * @throws RdmaException if the memory cannot be registered; nothing is left behind
   */
  public Grant grant(TransferBuffer buffer, long lengthBytes, TransferRight right) {
    TransportException first = null;
    for (RailPool rail : inOrder(buffer)) {
      Grant grant = new Grant(rail, buffer, lengthBytes, right);
      try {
        openWithOneRetry(grant);
        return grant;
      } catch (TransportException e) {
        grant.abandon();
        if (rail.connections().health().outNanos() == 0) {
          throw e; // no fault of the rail: another one would not help
        }
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      } catch (RuntimeException e) {
        grant.abandon();
        throw e;
      }
    }
    throw first;
  }

  private List<RailPool> inOrder(TransferBuffer buffer) {
    if (rails.size() == 1) {
      return rails;
    }
    MemoryPlace place = buffer.place();
    List<RailOrder.Facts> facts =
        rails.stream()
            .map(
                r ->
                    new RailOrder.Facts(
                        topology.distance(r.rail().portName().device(), place),
                        r.connections().inUse(),
                        r.connections().health().outNanos()))
            .toList();
    return RailOrder.of(facts, turn.getAndIncrement()).stream().map(rails::get).toList();
  }

  /**
   * Whether the NIC cannot reach this memory, so that it must go through pinned slots; decided by
   * registering it.
   */
  public boolean needsStaging(TransferBuffer buffer) {
    Registrations registrations = inOrder(buffer).getFirst().registrations();
    try {
      Registrations.Held held =
          registrations.of(buffer, buffer.lengthBytes(), TransferRight.REMOTE_WRITE);
      if (held.closeAfter()) {
        held.registration().close();
      }
      return false;
    } catch (RdmaException e) {
      if (e.advice() == RdmaException.Advice.ABORT) {
        throw e;
      }
      return true;
    }
  }

  /** A pooled connection may have died unseen: one more try with a new one. */
  private static void openWithOneRetry(Grant grant) {
    try {
      grant.open(false);
    } catch (TransportException e) {
      grant.reopen(e);
    }
  }

  @Override
  public void close() {
    rails.forEach(RailPool::close);
  }
}
