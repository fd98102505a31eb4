package io.s3rdma.client.transport;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.s3rdma.rdma.Access;
import io.s3rdma.rdma.MemoryRegion;
import io.s3rdma.rdma.ProtectionDomain;
import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.rdma.wire.RdmaHeaders;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.Set;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * A little memory that the server writes a nonce into, so that this client can show that the queue
 * pair it names is its own (P-2.10, P-2.11). Belongs to one connect and its thread. Closing it
 * takes the server's access away; the arena must outlive it.
 */
final class PeerProof implements AutoCloseable {
  /** The header's value in a connect. */
  static final String OFFERED = "nonce";

  private static final String REQUIRED = "required";
  private static final int BYTES = 32;
  private static final long ALIGNMENT = 64;

  private final MemorySegment memory;
  private final MemoryRegion region;

  private PeerProof(MemorySegment memory, MemoryRegion region) {
    this.memory = memory;
    this.region = region;
  }

  // A window cannot be bound before the queue pair is connected, so the region itself has the
  // right:
  // over these bytes alone, and until the connect ends.
  static PeerProof offer(ProtectionDomain domain, Arena arena) {
    MemorySegment memory = arena.allocate(BYTES, ALIGNMENT);
    return new PeerProof(
        memory, domain.register(memory, Set.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE)));
  }

  /** The endpoint token with the region in it (P-3.2). */
  EndpointToken endpoint(int queuePairNumber, Gid gid, int port, int lid) {
    return new EndpointToken(
        EndpointToken.Transport.RC,
        queuePairNumber,
        gid,
        region.remoteKey().value(),
        region.address(),
        BYTES,
        port,
        lid);
  }

  /** Whether the answer to a connect asks for the proof; a server that knows none does not. */
  static boolean isRequired(SdkHttpResponse connected) {
    return connected.firstMatchingHeader(RdmaHeaders.PROOF).filter(REQUIRED::equals).isPresent();
  }

  /** After the queue pair is ready: the server answers once its WRITE has completed. */
  void give(ControlPlane control, ConnectionId id) {
    control.challenge(id.hex());
    control.confirm(id.hex(), HexFormat.of().formatHex(memory.toArray(JAVA_BYTE)));
  }

  @Override
  public void close() {
    region.close();
  }
}
