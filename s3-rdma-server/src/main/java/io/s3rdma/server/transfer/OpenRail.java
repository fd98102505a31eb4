package io.s3rdma.server.transfer;

import io.s3rdma.rdma.AsyncEvent;
import io.s3rdma.rdma.CompletionQueue;
import io.s3rdma.rdma.DeviceAttributes;
import io.s3rdma.rdma.GidEntry;
import io.s3rdma.rdma.PortAttributes;
import io.s3rdma.rdma.PortName;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.RdmaException;
import io.s3rdma.rdma.Topology;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An opened device port: its protection domain, staging and hot memory, completion queue and
 * completion thread. A device that failed for good is opened again as another one of these, so that
 * no old connection ever meets new memory.
 *
 * <p>Threads: the completion thread; everything else is immutable, atomic or volatile. Close order:
 * connections (the caller), completion thread, queue, hot and staging memory, domain, device. If a
 * queue pair is left that did not drain, closing stops at the queue: what the NIC may still touch
 * stays for the life of the process.
 */
final class OpenRail {
  private static final int BATCH_CHUNKS_MAX = 16;
  private static final int SPARE_COMPLETIONS = 16;

  private final PortName name;
  private final RdmaDevice device;
  private final DeviceAttributes attributes;
  private final Optional<InetAddress> gidAddress;
  private final ProtectionDomain domain;
  private final StagingPool staging;
  private final Optional<HotMemory> hot;
  private final CompletionQueue queue;
  private final CompletionLoop loop;
  private final int sendDepth;
  private final AtomicInteger connections = new AtomicInteger();
  private final Object wakeLock = new Object();
  private boolean wakeable = true;
  private volatile boolean broken;
  private volatile boolean out;

  private OpenRail(
      PortName name, RdmaDevice device, RailShare share, TransferConfig config, CloseStack owned) {
    this.name = name;
    this.device = device;
    this.attributes = device.attributes();
    this.gidAddress = config.gidAddress();
    this.domain = owned.add(device.allocateProtectionDomain());
    OptionalInt node = Topology.ofSystem().numaNode(name.device());
    int chunkBytes = config.chunkBytes();
    int slots = share.slots();
    int perKeyMax = config.peerLimits().slotsMax(slots, chunkBytes);
    int batch = batchChunks(share, config);
    this.sendDepth = Math.max(2, config.chunksInFlight() * batch);
    this.staging = owned.add(new StagingPool(domain, slots, chunkBytes, perKeyMax, batch, node));
    this.hot =
        share.hotChunks() == 0
            ? Optional.empty()
            : Optional.of(owned.add(new HotMemory(domain, share.hotChunks(), chunkBytes, node)));
    // Every work request belongs to a slot, so slots bound the completions that can be
    // outstanding: one each, or one for each work request if they all fail.
    int depth = Math.min(attributes.maxCompletions(), slots * batch + SPARE_COMPLETIONS);
    this.queue = owned.add(device.createCompletionQueue(depth));
    this.loop =
        new CompletionLoop(
            name.toString(), queue, staging, config.completionSpins(), this::breakDown);
  }

  /** Chunks of hot memory in one post: as many as the device's queues hold for all slots. */
  private int batchChunks(RailShare share, TransferConfig config) {
    boolean bounded = config.peerLimits().bytesInFlightMax() > 0; // a slot must be one chunk then
    if (share.hotChunks() == 0 || bounded) {
      return 1;
    }
    int byCompletions = (attributes.maxCompletions() - SPARE_COMPLETIONS) / share.slots();
    int byRequests = attributes.maxWorkRequests() / config.chunksInFlight();
    int byBytes = Integer.MAX_VALUE / config.chunkBytes();
    int most = Math.min(Math.min(byCompletions, byRequests), byBytes);
    return Math.clamp(most, 1, BATCH_CHUNKS_MAX);
  }

  /**
   * Opens the device and registers its memory.
   *
   * @param share how much of it
   */
  static OpenRail open(PortName name, RailShare share, TransferConfig config) {
    CloseStack owned = new CloseStack();
    try {
      return new OpenRail(name, owned.add(Rdma.open(name.device())), share, config, owned);
    } catch (RdmaException e) {
      owned.close();
      throw new TransferException(
          TransferException.Failure.NO_RAIL, "device " + name.device() + ": " + e.getMessage(), e);
    }
  }

  /** Device and port as evidence and messages name them. */
  PortName portName() {
    return name;
  }

  int port() {
    return name.port();
  }

  DeviceAttributes attributes() {
    return attributes;
  }

  PortAttributes portAttributes() {
    return device.port(name.port());
  }

  /** Looked up at each connect: GID tables change at run time. */
  Optional<GidEntry> gid() {
    return RailFinder.select(device, name.port(), gidAddress);
  }

  /** The table that {@link #gid} looks into. */
  List<GidEntry> gids() {
    return device.gids(name.port());
  }

  ProtectionDomain domain() {
    return domain;
  }

  CompletionQueue queue() {
    return queue;
  }

  StagingPool staging() {
    return staging;
  }

  /** Work requests that a transfer may have in a queue pair. */
  int sendDepth() {
    return sendDepth;
  }

  Optional<HotMemory> hot() {
    return hot;
  }

  /** Where these bytes are kept, or are from now on; null if that is nowhere. */
  HotMemory hotFor(ByteSource source) {
    return hot.filter(memory -> source.name().filter(memory::isHot).isPresent()).orElse(null);
  }

  long strays() {
    return loop.strays();
  }

  /** Connections over it that still have a queue pair. */
  AtomicInteger connections() {
    return connections;
  }

  private void breakDown() {
    broken = true;
    wake();
  }

  /** Ends a wait for events. Any thread, whoever frees the device meanwhile. */
  void wake() {
    synchronized (wakeLock) {
      if (wakeable) {
        device.wake();
      }
    }
  }

  Optional<AsyncEvent> awaitAsyncEvent(int timeoutMillis) {
    return device.awaitAsyncEvent(timeoutMillis);
  }

  /** The completion queue cannot be polled any more. */
  boolean isBroken() {
    return broken;
  }

  /** No connection may be opened or kept over it. */
  boolean isOut() {
    return out || broken;
  }

  void out(boolean now) {
    out = now;
  }

  /** Frees everything; throws, and may be called again, while a connection is left. */
  void free() {
    loop.close();
    queue.close();
    hot.ifPresent(HotMemory::close);
    staging.close();
    domain.close();
    synchronized (wakeLock) {
      wakeable = false;
    }
    device.close();
  }

  @Override
  public String toString() {
    return name.toString();
  }
}
