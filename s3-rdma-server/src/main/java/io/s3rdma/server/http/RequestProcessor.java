package io.s3rdma.server.http;

import java.io.IOException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From head and raw body to an answer: authenticate, decode, route, and encode a refusal. */
final class RequestProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(RequestProcessor.class);

  private final SigV4 sigV4;
  private final Router router;
  private final Function<Exception, S3Exception> refusals;

  RequestProcessor(SigV4 sigV4, Router router, Function<Exception, S3Exception> refusals) {
    this.sigV4 = sigV4;
    this.router = router;
    this.refusals = refusals;
  }

  /** Runs on an operation thread. Every failure comes out as an answer. */
  S3Response process(RequestHead head, RequestBody raw, CancelSignal cancel) {
    try {
      return handle(head, raw, cancel);
    } catch (S3Exception e) {
      return encode(e, head);
    } catch (BadFramingException e) {
      return encode(new S3Exception(S3ErrorCode.INCOMPLETE_BODY, e.getMessage(), e), head);
    } catch (IOException | RuntimeException e) {
      S3Exception refusal = refusals.apply(e);
      if (refusal.code() == S3ErrorCode.INTERNAL_ERROR && !cancel.isCancelled()) {
        LOG.error("{} {} request {} failed", head.method(), head.rawPath(), head.requestId(), e);
      }
      return encode(refusal, head);
    }
  }

  private S3Response handle(RequestHead head, RequestBody raw, CancelSignal cancel)
      throws IOException {
    refusePreflight(head);
    Operation operation = router.route(head);
    Identity identity = Identity.ANONYMOUS;
    RequestBody body = raw;
    // P-4.1: who asks comes before everything that the request asks for.
    if (SigV4.isSigned(head) || !operation.allowsAnonymous()) {
      SigV4.Verified verified = sigV4.verify(head);
      identity = verified.identity();
      body = PayloadDecoder.decode(head, verified, raw);
    }
    String bucket = router.bucketOf(head);
    String key = router.keyOf(head);
    return operation.handle(new S3Request(head, bucket, key, identity, body, cancel));
  }

  /** A browser asks without a signature, and there are no CORS rules to answer by. */
  private static void refusePreflight(RequestHead head) {
    if (head.method().equals("OPTIONS")) {
      throw head.headers().contains("origin")
          ? new S3Exception(S3ErrorCode.ACCESS_DENIED, "CORS is not enabled here")
          : new S3Exception(S3ErrorCode.INVALID_REQUEST, "the header Origin is missing");
    }
  }

  private static S3Response encode(S3Exception refusal, RequestHead head) {
    return ErrorEncoder.encode(refusal, head.rawPath(), head.requestId());
  }
}
