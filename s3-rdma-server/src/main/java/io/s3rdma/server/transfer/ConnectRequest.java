package io.s3rdma.server.transfer;

import io.s3rdma.rdma.wire.Gid;
import io.s3rdma.rdma.wire.Psn;
import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.net.InetAddress;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A client's side of a connection to be (P-2.1).
 *
 * @param owner access key that may use it (P-2.4)
 * @param mtuBytes active MTU of its port, or empty: ours is used (P-2.2)
 * @param incomingReads READs it accepts, or empty: one (P-2.2)
 * @param local the address of ours that it sent the connect to, where that is known
 * @param proofRegion where it wants the nonce that it is to tell, or empty: no proof (P-2.10)
 */
public record ConnectRequest(
    String owner,
    Gid gid,
    int queuePairNumber,
    int lid,
    Psn sendPsn,
    OptionalInt mtuBytes,
    OptionalInt incomingReads,
    Optional<InetAddress> local,
    Optional<RemoteDescriptor> proofRegion) {

  /** Of a peer that offers no proof. */
  public ConnectRequest(
      String owner,
      Gid gid,
      int queuePairNumber,
      int lid,
      Psn sendPsn,
      OptionalInt mtuBytes,
      OptionalInt incomingReads,
      Optional<InetAddress> local) {
    this(
        owner,
        gid,
        queuePairNumber,
        lid,
        sendPsn,
        mtuBytes,
        incomingReads,
        local,
        Optional.empty());
  }
}
