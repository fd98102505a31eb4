package io.s3rdma.server.http;

import java.nio.file.Path;

/**
 * The HTTPS listener.
 *
 * @param port 0 takes any free one
 * @param certificateFile PEM: the server's certificate first, then those that vouch for it
 * @param keyFile PEM: the private key in PKCS #8, not encrypted
 */
public record TlsConfig(
    int port, Path certificateFile, Path keyFile, int handshakeTimeoutSeconds) {}
