package io.s3rdma.server.http;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** CORS as the pipeline sees it: preflights, and headers on whatever is answered. */
final class CrossOrigin {
  private static final Logger LOG = LoggerFactory.getLogger(CrossOrigin.class);
  private static final String ORIGIN = "origin";
  private static final String REQUEST_METHOD = "access-control-request-method";
  private static final String REQUEST_HEADERS = "access-control-request-headers";

  private final CorsPolicy policy;

  CrossOrigin(CorsPolicy policy) {
    this.policy = policy;
  }

  /** Answers OPTIONS: a browser asks without a signature, and learns no more than the rules. */
  S3Response preflight(RequestHead head, String bucket) throws IOException {
    Optional<String> origin = head.headers().first(ORIGIN);
    Optional<String> method = head.headers().first(REQUEST_METHOD);
    if (origin.isEmpty() || method.isEmpty()) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST,
          "a preflight needs Origin and Access-Control-Request-Method");
    }
    List<String> headers = names(head.headers().all(REQUEST_HEADERS));
    Headers allowed =
        policy
            .answer(bucket, origin.get(), method.get(), headers)
            .orElseThrow(() -> new S3Exception(S3ErrorCode.ACCESS_FORBIDDEN));
    return S3Response.of(200, allowed);
  }

  /** Adds what the rules say to any answer, a refusal too, so that a page can read it. */
  S3Response decorate(RequestHead head, Router router, S3Response response) {
    Optional<String> origin = head.headers().first(ORIGIN);
    if (origin.isEmpty() || head.method().equals("OPTIONS")) {
      return response;
    }
    // As Ceph does: who names a method means the answer for that one.
    String method = head.headers().first(REQUEST_METHOD).orElse(head.method());
    try {
      Optional<Headers> allowed =
          policy.answer(router.route(head).bucket(), origin.get(), method, List.of());
      return allowed.isEmpty() ? response : response.withHeaders(allowed.get());
    } catch (S3Exception e) {
      return response; // The path names no bucket, which the answer says.
    } catch (IOException e) {
      LOG.warn("no CORS rules for request {}: the store failed", head.requestId(), e);
      return response;
    }
  }

  private static List<String> names(List<String> values) {
    return values.stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(String::trim)
        .filter(name -> !name.isEmpty())
        .toList();
  }
}
