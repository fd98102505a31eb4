package io.s3rdma.server.transfer;

import io.s3rdma.rdma.wire.ConnectionId;
import io.s3rdma.rdma.wire.EndpointToken;
import io.s3rdma.rdma.wire.Psn;

/** The server's side of a new connection (P-2.2). */
public record ConnectAnswer(
    ConnectionId id, EndpointToken endpoint, Psn sendPsn, int mtuBytes, int outgoingReads) {}
