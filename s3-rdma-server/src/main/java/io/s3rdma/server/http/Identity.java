package io.s3rdma.server.http;

import java.util.Set;

/**
 * Who signed a request and which headers the signature covers.
 *
 * @param accessKey null where no signature was needed and none was given
 * @param signedHeaders lower-case names
 */
public record Identity(String accessKey, Set<String> signedHeaders) {
  public static final Identity ANONYMOUS = new Identity(null, Set.of());

  public Identity {
    signedHeaders = Set.copyOf(signedHeaders);
  }
}
