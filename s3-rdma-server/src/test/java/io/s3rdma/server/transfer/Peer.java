package io.s3rdma.server.transfer;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.MemoryWindow;
import io.s3rdma.rdma.RemoteKey;
import io.s3rdma.rdma.TestEnd;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import io.s3rdma.server.transfer.Transfers.CancelHook;
import io.s3rdma.server.transfer.Transfers.Lease;
import io.s3rdma.server.transfer.Transfers.Moved;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;

/** A client made by hand: one queue pair, some memory and one window over it. */
final class Peer implements AutoCloseable {
  static final String OWNER = "OWNER";
  static final byte GUARD = (byte) 0xa5;
  static final CancelHook NEVER = action -> () -> {};

  private final TestEnd end;
  private final MemorySegment memory;
  private final MemoryRegion region;
  private final MemoryWindow window;
  private ConnectAnswer answer;
  private RemoteKey key;

  /** Not connected. */
  Peer(long bytes) {
    this(new TestEnd(), bytes);
  }

  /** Not connected, on this device. */
  Peer(String device, long bytes) {
    this(new TestEnd(Optional.of(device)), bytes);
  }

  private Peer(TestEnd end, long bytes) {
    this.end = end;
    memory = end.memory(bytes);
    memory.fill(GUARD);
    region = end.register(memory);
    window = end.window();
  }

  static Peer connected(Transfers transfers, long bytes) {
    Peer peer = new Peer(bytes);
    peer.finish(transfers.connect(peer.request(OWNER)));
    return peer;
  }

  static Peer connected(Transfers transfers, String device, long bytes) {
    Peer peer = new Peer(device, bytes);
    peer.finish(transfers.connect(peer.request(OWNER)));
    return peer;
  }

  /** Number of the server's queue pair. */
  int serverQueuePair() {
    return answer.endpoint().qpNumber();
  }

  TestEnd end() {
    return end;
  }

  /** As the product's client connects. */
  ConnectRequest request(String owner) {
    return request(owner, OptionalInt.of(end.mtuBytes()), OptionalInt.of(TestEnd.READS));
  }

  ConnectRequest request(String owner, OptionalInt mtuBytes, OptionalInt incomingReads) {
    return new ConnectRequest(
        owner,
        end.gid(),
        end.endpoint().qpNumber(),
        end.endpoint().lid(),
        end.psn(),
        mtuBytes,
        incomingReads,
        Optional.empty());
  }

  /** Moves this side's queue pair to RTS with what the server answered. */
  void finish(ConnectAnswer connected) {
    answer = connected;
    end.connect(connected.endpoint(), connected.sendPsn(), connected.mtuBytes());
  }

  ConnectionId id() {
    return answer.id();
  }

  /** Takes the former key back, and makes one over exactly these bytes. */
  RemoteDescriptor window(long offset, long bytes, TransferRight right) {
    if (key != null) {
      end.invalidate(key);
    }
    long address = memory.address() + offset;
    key = end.bind(window, region, address, bytes, right);
    return new RemoteDescriptor(address, bytes, key.value());
  }

  /** GET: the server writes the content into this peer's memory at the offset. */
  Moved get(Transfers transfers, long offset, byte[] content) {
    RemoteDescriptor at = window(offset, content.length, TransferRight.REMOTE_WRITE);
    return get(transfers, at, sourceOf(content), content.length, Deadline.in(60_000), NEVER);
  }

  Moved get(
      Transfers transfers,
      RemoteDescriptor at,
      ByteSource source,
      long bytes,
      Deadline deadline,
      CancelHook cancel) {
    try (Lease lease = transfers.lease(id(), OWNER)) {
      return transfers.write(lease, at, source, bytes, deadline, cancel);
    }
  }

  /** PUT: the server reads this peer's memory from the offset on. */
  byte[] put(Transfers transfers, long offset, int bytes) {
    byte[] got = new byte[bytes];
    RemoteDescriptor at = window(offset, bytes, TransferRight.REMOTE_READ);
    put(transfers, at, sinkTo(got), bytes, Deadline.in(60_000), NEVER);
    return got;
  }

  Moved put(
      Transfers transfers,
      RemoteDescriptor at,
      ByteSink sink,
      long bytes,
      Deadline deadline,
      CancelHook cancel) {
    try (Lease lease = transfers.lease(id(), OWNER)) {
      return transfers.read(lease, at, sink, bytes, deadline, cancel);
    }
  }

  /** Every byte of the memory. */
  byte[] bytes() {
    return memory.toArray(JAVA_BYTE);
  }

  void fill(byte[] content) {
    MemorySegment.copy(content, 0, memory, JAVA_BYTE, 0, content.length);
  }

  static byte[] random(int size, long seed) {
    byte[] content = new byte[size];
    new Random(seed).nextBytes(content);
    return content;
  }

  static ByteSource sourceOf(byte[] content) {
    return (position, target) -> target.put(content, (int) position, target.remaining());
  }

  /** Fills the array in the order of the calls. */
  static ByteSink sinkTo(byte[] target) {
    int[] at = new int[1];
    return bytes -> {
      int n = bytes.remaining();
      bytes.get(target, at[0], n);
      at[0] += n;
    };
  }

  @Override
  public void close() {
    end.close();
  }
}
