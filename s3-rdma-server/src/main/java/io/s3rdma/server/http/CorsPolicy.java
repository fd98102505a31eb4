package io.s3rdma.server.http;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Which pages of other origins may read a bucket's answers. Asked on operation threads. */
@FunctionalInterface
public interface CorsPolicy {
  /** No bucket has rules. */
  CorsPolicy NONE = (bucket, origin, method, requestHeaders) -> Optional.empty();

  /**
   * What an answer says to the origin's page; empty where no rule of the bucket allows it, or there
   * are no rules, or there is no such bucket.
   *
   * @param method of the request, or the one that a preflight asks for
   * @param requestHeaders that a preflight asks for; empty for the request itself
   */
  Optional<Headers> answer(String bucket, String origin, String method, List<String> requestHeaders)
      throws IOException;
}
