package io.s3rdma.client.transport;

import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;

/**
 * What the transport needs; immutable.
 *
 * @param device RDMA device name, or empty: the one whose address the server is reached from
 * @param gidAddress address whose GID to use, or empty: the local address towards the server
 * @param connectionsMax connections kept to the server
 * @param railsMax rails that are used at most, the one that HTTP leaves by first
 * @param connectionIdleSeconds an idle connection older than this is not used again; below the
 *     server's limit
 * @param fenceTimeoutMillis how long a window's invalidation may take before the connection is
 *     ended instead
 */
public record TransportConfig(
    URI endpoint,
    String region,
    AwsCredentialsProvider credentials,
    Optional<String> device,
    int port,
    Optional<InetAddress> gidAddress,
    int connectionsMax,
    int connectionIdleSeconds,
    int fenceTimeoutMillis,
    int transportTimeout,
    int transportRetries,
    int railsMax) {}
