package io.s3rdma.server.flow;

import io.s3rdma.server.net.Subnet;
import java.util.List;

/**
 * Limits of the RDMA way; immutable.
 *
 * @param deadlineMillisDefault patience where the client states none
 * @param deadlineMillisMax cap on what a client may state (P-1.7)
 * @param objectBytesMin smaller transfers are declined
 * @param clientSubnets networks whose GIDs may connect besides the HTTP peer's own (P-2.7)
 * @param peerProof who must prove that the endpoint is its own (P-2.10)
 */
public record RdmaSettings(
    int deadlineMillisDefault,
    int deadlineMillisMax,
    long objectBytesMin,
    List<Subnet> clientSubnets,
    boolean allowUnsignedConnect,
    PeerProof peerProof) {
  /** Who must prove that the endpoint it names is its own. */
  public enum PeerProof {
    /** Who offers it; a peer that knows nothing of it connects as before. */
    AUTO,
    /** Everyone. */
    ON,
    OFF
  }
}
