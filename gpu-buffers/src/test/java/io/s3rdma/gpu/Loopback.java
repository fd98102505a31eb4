package io.s3rdma.gpu;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.BufferRegistration;
import io.s3rdma.rdma.ChunkList;
import io.s3rdma.rdma.CompletionBatch;
import io.s3rdma.rdma.CompletionQueue;
import io.s3rdma.rdma.CompletionStatus;
import io.s3rdma.rdma.GidEntry;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.MemoryWindow;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.QueuePair;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.RdmaDevice;
import io.s3rdma.rdma.ReadyToReceive;
import io.s3rdma.rdma.ReadyToSend;
import io.s3rdma.rdma.TransferRight;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;

/**
 * A server and a client queue pair of one fake RDMA device, connected. The client's domain holds
 * the buffer under test; the server writes into it or reads it, as in a GET or PUT.
 */
final class Loopback implements AutoCloseable {
  private final Arena arena = Arena.ofConfined();
  private final RdmaDevice device = Rdma.open(Rdma.deviceNames().getFirst());
  private final ProtectionDomain serverDomain = device.allocateProtectionDomain();
  private final ProtectionDomain clientDomain = device.allocateProtectionDomain();
  private final CompletionQueue queue = device.createCompletionQueue(64);
  private final QueuePair server = serverDomain.createQueuePair(queue, 16);
  private final QueuePair client = clientDomain.createQueuePair(queue, 16);
  private final ChunkList chunks = new ChunkList(arena);
  private final CompletionBatch batch = new CompletionBatch(arena, 1);

  Loopback() {
    GidEntry gid = device.gids(1).getLast();
    connect(server, client, gid, Set.of());
    connect(client, server, gid, Set.of(Access.REMOTE_READ, Access.REMOTE_WRITE));
  }

  private static void connect(QueuePair self, QueuePair peer, GidEntry gid, Set<Access> rights) {
    self.toInit(1, rights);
    self.toReadyToReceive(
        new ReadyToReceive(gid.gid(), peer.number(), 7, 1, gid.index(), 1024, 1, 0, 0));
    self.toReadyToSend(new ReadyToSend(7, 1, 14, 6));
  }

  /** The domain where the buffer under test is registered. */
  ProtectionDomain domain() {
    return clientDomain;
  }

  /** The server writes into the registered buffer. */
  CompletionStatus write(BufferRegistration target, long offset, byte[] bytes) {
    try (HostBuffer source = HostBuffer.allocate(bytes.length);
        MemoryRegion region = serverDomain.register(source.segment(), Set.of())) {
      source.copyIn(0, MemorySegment.ofArray(bytes));
      return move(true, region, target, offset, bytes.length);
    }
  }

  /** The server reads the registered buffer; the bytes, or none if that was refused. */
  byte[] read(BufferRegistration source, long offset, int length) {
    try (HostBuffer target = HostBuffer.allocate(length);
        MemoryRegion region = serverDomain.register(target.segment(), Set.of(Access.LOCAL_WRITE))) {
      return move(false, region, source, offset, length) == CompletionStatus.SUCCESS
          ? target.segment().toArray(ValueLayout.JAVA_BYTE)
          : new byte[0];
    }
  }

  private CompletionStatus move(
      boolean write, MemoryRegion local, BufferRegistration remote, long offset, long length) {
    if (!remote.carriesWindows()) {
      int key = remote.region().remoteKey().value();
      return post(write, local, remote.baseAddress() + offset, key, length);
    }
    try (MemoryWindow window = clientDomain.allocateWindow()) {
      TransferRight right = write ? TransferRight.REMOTE_WRITE : TransferRight.REMOTE_READ;
      long address = remote.baseAddress() + offset;
      int key = client.bind(window, remote.region(), address, length, right, 1).value();
      CompletionStatus bound = reap();
      return bound == CompletionStatus.SUCCESS ? post(write, local, address, key, length) : bound;
    }
  }

  private CompletionStatus post(
      boolean write, MemoryRegion local, long remoteAddress, int key, long length) {
    chunks.clear();
    chunks.add(2, local.address(), local.localKey(), remoteAddress, key, length, true);
    if (write) {
      server.postWrites(chunks);
    } else {
      server.postReads(chunks);
    }
    return reap();
  }

  private CompletionStatus reap() {
    long end = System.nanoTime() + 10_000_000_000L;
    while (queue.poll(batch) == 0) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("no completion within 10 s");
      }
      Thread.onSpinWait();
    }
    return batch.status(0);
  }

  @Override
  public void close() {
    server.close();
    client.close();
    queue.close();
    serverDomain.close();
    clientDomain.close();
    device.close();
    arena.close();
  }
}
