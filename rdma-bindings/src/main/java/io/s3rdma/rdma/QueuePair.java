package io.s3rdma.rdma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * An RC queue pair. One thread at a time posts to it; the state steps belong to its owner.
 *
 * <p>Before it is closed, move it to ERROR and reap a completion for everything that was posted
 * signalled; work requests still in the NIC may touch memory until then.
 */
public final class QueuePair extends NativeObject {
  private final CompletionQueue queue;
  private final int number;
  private final int sendDepth;

  QueuePair(ProtectionDomain domain, CompletionQueue queue, long handle, int number, int depth) {
    super(domain, handle);
    this.queue = queue;
    this.number = number;
    this.sendDepth = depth;
  }

  /** The 24-bit queue pair number. */
  public int number() {
    return number;
  }

  /** Work requests it was asked to hold. */
  public int sendDepth() {
    return sendDepth;
  }

  /** The queue where its work requests complete. */
  public CompletionQueue completionQueue() {
    return queue;
  }

  /**
   * RESET to INIT. The rights are those that the peer gets on this side's memory; a server gives
   * none (P-2.9).
   */
  public void toInit(int port, Set<Access> remoteRights) {
    Shim.qpToInit(handle(), port, Access.bits(remoteRights));
  }

  /** INIT to RTR: the peer is known. */
  public void toReadyToReceive(ReadyToReceive attributes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment rtr = arena.allocate(Layouts.RTR);
      MemorySegment.copy(attributes.remoteGid().toBytes(), 0, rtr, JAVA_BYTE, 0, 16);
      set(rtr, "remote_qpn", attributes.remoteQueuePairNumber());
      set(rtr, "rq_psn", attributes.receivePsn());
      set(rtr, "port", attributes.port());
      set(rtr, "gid_index", attributes.gidIndex());
      set(rtr, "mtu_bytes", attributes.mtuBytes());
      set(rtr, "max_dest_rd_atomic", attributes.incomingReads());
      set(rtr, "min_rnr_timer", ReadyToReceive.MIN_RNR_TIMER);
      set(rtr, "traffic_class", attributes.trafficClass());
      set(rtr, "hop_limit", ReadyToReceive.HOP_LIMIT);
      set(rtr, "remote_lid", attributes.remoteLid());
      Shim.qpToReadyToReceive(handle(), rtr);
    }
  }

  private static void set(MemorySegment rtr, String field, int value) {
    Layouts.setInt(rtr, Layouts.RTR, field, value);
  }

  /** RTR to RTS: work requests may be posted. */
  public void toReadyToSend(ReadyToSend attributes) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment rts = arena.allocate(Layouts.RTS);
      Layouts.setInt(rts, Layouts.RTS, "sq_psn", attributes.sendPsn());
      Layouts.setInt(rts, Layouts.RTS, "max_rd_atomic", attributes.outgoingReads());
      Layouts.setInt(rts, Layouts.RTS, "timeout", attributes.timeout());
      Layouts.setInt(rts, Layouts.RTS, "retry_cnt", attributes.retries());
      Layouts.setInt(rts, Layouts.RTS, "rnr_retry", ReadyToSend.RNR_RETRIES);
      Shim.qpToReadyToSend(handle(), rts);
    }
  }

  /**
   * Any state to ERROR: everything posted completes, flushed or not, and no peer gets in any more.
   */
  public void toError() {
    Shim.qpToError(handle());
  }

  /** State, PSNs and attributes as the device has them now. */
  public QueuePairInfo query() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(Layouts.QP_INFO);
      Shim.qpQuery(handle(), out);
      return QueuePairInfo.read(out);
    }
  }

  /** The 24-bit send PSN as the device has it now: {@link #query()} without all the rest. */
  public int sendPsn() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment out = arena.allocate(Layouts.QP_INFO);
      Shim.qpQuery(handle(), out);
      return QueuePairInfo.sendPsn(out);
    }
  }

  /** Posts WRITEs: local to remote. All or some are accepted, see {@link ChunkList#accepted}. */
  public void postWrites(ChunkList chunks) {
    post(1, chunks);
  }

  /** Posts READs: remote to local. */
  public void postReads(ChunkList chunks) {
    post(2, chunks);
  }

  private void post(int opcode, ChunkList chunks) {
    Shim.post(handle(), opcode, chunks.address(), chunks.count(), chunks.postedAddress());
  }

  /**
   * Posts a signalled bind of a window; the key may be given out after its completion.
   *
   * @param address first byte as the region names it
   */
  public RemoteKey bind(
      MemoryWindow window,
      MemoryRegion region,
      long address,
      long lengthBytes,
      TransferRight right,
      long id) {
    int access = Access.bits(Set.of(right.access()));
    return new RemoteKey(
        Shim.mwBind(handle(), window.handle(), region.handle(), address, lengthBytes, access, id));
  }

  /** Posts a signalled local invalidate of a bound window's key. */
  public void invalidate(RemoteKey key, long id) {
    Shim.mwInvalidate(handle(), key.value(), id);
  }

  @Override
  void destroy(long handle) {
    Shim.qpDestroy(handle);
  }

  @Override
  public String toString() {
    return String.format("QP 0x%x", number);
  }
}
