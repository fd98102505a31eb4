package io.s3rdma.server.negotiation;

import io.s3rdma.rdma.wire.DeclineReason;
import java.util.Optional;

/**
 * What the server can do at this moment.
 *
 * @param unusable why no RDMA at all is possible now, or empty
 * @param objectBytesMin below this many bytes HTTP is faster
 */
public record Capabilities(Optional<DeclineReason> unusable, long objectBytesMin) {}
