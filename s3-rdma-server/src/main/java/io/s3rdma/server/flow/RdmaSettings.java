package io.s3rdma.server.flow;

import java.util.List;

/**
 * Limits of the RDMA way; immutable.
 *
 * @param deadlineMillisDefault patience where the client states none
 * @param deadlineMillisMax cap on what a client may state (P-1.7)
 * @param objectBytesMin smaller transfers are declined
 * @param clientSubnets networks whose GIDs may connect besides the HTTP peer's own (P-2.7)
 */
public record RdmaSettings(
    int deadlineMillisDefault,
    int deadlineMillisMax,
    long objectBytesMin,
    List<Subnet> clientSubnets,
    boolean allowUnsignedConnect) {}
