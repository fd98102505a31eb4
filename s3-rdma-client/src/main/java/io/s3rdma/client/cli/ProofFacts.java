package io.s3rdma.client.cli;

import io.s3rdma.client.TransferResult;
import java.util.Optional;

/**
 * All that is known about one transfer of {@code verify}; what it proves is said by {@link Proof}.
 *
 * @param operation PUT, GET or range
 * @param isPut the server READs out of this process's memory; else it WRITEs into it
 * @param mtuBytes RoCE MTU of this side's port; the path's may be smaller
 * @param sent SHA-256 of what must arrive
 * @param arrived SHA-256 of what did
 * @param clientPort what this side's port sent (PUT) or received (GET)
 * @param serverPort what the server's port received (PUT) or sent (GET)
 * @param judgedExact transfers that the server counted as exact meanwhile
 * @param contradicted transfers that the server counted as contradicted meanwhile
 */
record ProofFacts(
    String operation,
    boolean isPut,
    long bytes,
    int mtuBytes,
    TransferResult result,
    String sent,
    String arrived,
    Optional<PortCounts.Moved> clientPort,
    Optional<PortCounts.Moved> serverPort,
    Optional<Long> judgedExact,
    Optional<Long> contradicted) {}
