package io.s3rdma.server.transfer;

import io.s3rdma.rdma.AsyncEvent;
import io.s3rdma.rdma.CompletionQueue;
import io.s3rdma.rdma.DeviceAttributes;
import io.s3rdma.rdma.GidEntry;
import io.s3rdma.rdma.PortAttributes;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.RailFinder;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.RdmaException;
import java.net.InetAddress;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One RDMA device port in use: its protection domain, staging memory, completion queue and threads.
 *
 * <p>Threads: the completion thread and one daemon thread for asynchronous events; everything else
 * is immutable or volatile. Close order: connections (the caller), completion thread, event thread,
 * queue, staging memory, domain, device. If a queue pair is left that did not drain, closing stops
 * at the queue: what the NIC may still touch stays for the life of the process.
 */
final class Rail implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rail.class);
  private static final int EVENT_WAIT_MILLIS = 500;
  private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 64 : 0;

  private final RdmaDevice device;
  private final int port;
  private final DeviceAttributes attributes;
  private final Optional<InetAddress> gidAddress;
  private final ProtectionDomain domain;
  private final StagingPool staging;
  private final CompletionQueue queue;
  private final CompletionLoop loop;
  private final Thread events;
  private volatile boolean portUp = true;
  private volatile boolean broken;
  private volatile boolean closing;

  private Rail(RdmaDevice device, TransferConfig config, CloseStack owned) {
    this.device = device;
    this.port = config.port();
    this.attributes = device.attributes();
    this.gidAddress = config.gidAddress();
    this.domain = owned.add(device.allocateProtectionDomain());
    this.staging = owned.add(new StagingPool(domain, config.slots(), config.chunkBytes()));
    // Every work request is signalled and holds a slot, so slots bound the completions that can be
    // outstanding.
    int depth = Math.min(attributes.maxCompletions(), config.slots() + 16);
    this.queue = owned.add(device.createCompletionQueue(depth));
    this.loop = new CompletionLoop(device.name(), queue, staging, SPINS, () -> broken = true);
    this.events =
        Thread.ofPlatform().daemon().name("s3rdma-events-" + device.name()).unstarted(this::watch);
    events.start();
  }

  /**
   * Opens the rail that the configuration names or the first usable one; fails with every cause.
   */
  static Rail open(TransferConfig config) {
    RailFinder.Search search = RailFinder.find(config.device(), config.port(), config.gidAddress());
    RailFinder.FoundRail found =
        search
            .rail()
            .orElseThrow(
                () -> new TransferException(TransferException.Failure.NO_RAIL, search.cause()));
    CloseStack owned = new CloseStack();
    try {
      return new Rail(owned.add(Rdma.open(found.device())), config, owned);
    } catch (RdmaException e) {
      owned.close();
      throw new TransferException(
          TransferException.Failure.NO_RAIL, "device " + found.device() + ": " + e.getMessage(), e);
    }
  }

  private void watch() {
    while (!closing) {
      try {
        device.awaitAsyncEvent(EVENT_WAIT_MILLIS).ifPresent(this::onEvent);
      } catch (RdmaException e) {
        if (!closing) {
          LOG.warn("asynchronous events of {} are gone: {}", device.name(), e.getMessage());
        }
        return;
      }
    }
  }

  private void onEvent(AsyncEvent event) {
    switch (event.type()) {
      case PORT_ERROR -> portUp = event.port() != port && portUp;
      case PORT_ACTIVE -> portUp = event.port() == port || portUp;
      case DEVICE_FATAL, COMPLETION_QUEUE_ERROR -> broken = true;
      default -> {
        return;
      }
    }
    LOG.warn("rail {}: {}", name(), event.type());
  }

  /** Device and port as evidence and messages name them. */
  String name() {
    return device.name() + "/" + port;
  }

  String deviceName() {
    return device.name();
  }

  int port() {
    return port;
  }

  boolean isPortUp() {
    return portUp;
  }

  boolean isBroken() {
    return broken;
  }

  DeviceAttributes attributes() {
    return attributes;
  }

  PortAttributes portAttributes() {
    return device.port(port);
  }

  /** Looked up at each connect: GID tables change at run time. */
  Optional<GidEntry> gid() {
    return RailFinder.select(device, port, gidAddress);
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

  long strays() {
    return loop.strays();
  }

  @Override
  public void close() {
    closing = true;
    loop.close();
    try {
      events.join(4L * EVENT_WAIT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      queue.close();
      staging.close();
      domain.close();
      device.close();
    } catch (RdmaException e) {
      LOG.error("rail {} is not freed: {}", name(), e.getMessage());
    }
  }
}
