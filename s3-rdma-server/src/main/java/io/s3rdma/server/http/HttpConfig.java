package io.s3rdma.server.http;

import java.util.List;
import java.util.Optional;

/**
 * Settings of the HTTP side; see the section {@code http} of reference.conf.
 *
 * @param port of plain HTTP; 0 takes any free one, {@link #OFF} leaves it out
 * @param tls the HTTPS listener, if there is one
 * @param hostSuffixes names of this service, below which buckets have host names of their own
 */
public record HttpConfig(
    String host,
    int port,
    Optional<TlsConfig> tls,
    List<String> hostSuffixes,
    int eventLoopThreads,
    int operationThreads,
    int operationQueueMax,
    int stopTimeoutSeconds,
    HttpLimits limits) {
  public static final int OFF = -1;
}
