package io.s3rdma.server.http;

import java.io.IOException;
import java.time.Clock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From head and raw body to an answer: route, authenticate, authorize, decode, and encode a
 * refusal.
 */
final class RequestProcessor {
  private static final Logger LOG = LoggerFactory.getLogger(RequestProcessor.class);

  private final Authority authority;
  private final Clock clock;
  private final SigV4 sigV4;
  private final Router router;
  private final FormPost forms;
  private final Function<Exception, S3Exception> refusals;
  private final CrossOrigin crossOrigin;

  RequestProcessor(
      Authority authority,
      Clock clock,
      Router router,
      FormRules forms,
      Function<Exception, S3Exception> refusals,
      CorsPolicy cors) {
    this.authority = authority;
    this.clock = clock;
    this.sigV4 = new SigV4(authority.credentials(), authority.region(), clock);
    this.router = router;
    this.forms = new FormPost(authority, sigV4, router, clock, forms);
    this.refusals = refusals;
    this.crossOrigin = new CrossOrigin(cors);
  }

  /** Runs on an operation thread. Every failure comes out as an answer. */
  S3Response process(RequestHead head, RequestBody raw, CancelSignal cancel) {
    return crossOrigin.decorate(head, router, answer(head, raw, cancel));
  }

  private S3Response answer(RequestHead head, RequestBody raw, CancelSignal cancel) {
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
    Router.Target target = router.route(head);
    if (head.method().equals("OPTIONS")) {
      return crossOrigin.preflight(head, target.bucket());
    }
    Operation operation = target.operation();
    // P-4.1: who asks comes before everything that the request asks for.
    if (!SigV4.isSigned(head)) {
      if (FormPost.isAsked(target, head)) {
        return forms.handle(head, target.bucket(), raw, cancel);
      }
      return handleUnsigned(target, head, raw, cancel);
    }
    SigV4.Verified verified = sigV4.verify(head);
    Access access = authority.access(verified.identity(), head, clock);
    if (!target.isSpecial()) {
      AccessRule.require(access, target, head);
    }
    RequestBody body = PayloadDecoder.decode(head, verified.payloadHash(), verified.chunks(), raw);
    return operation.handle(request(head, target, access, body, cancel));
  }

  private S3Response handleUnsigned(
      Router.Target target, RequestHead head, RequestBody raw, CancelSignal cancel)
      throws IOException {
    Access access = authority.access(Identity.ANONYMOUS, head, clock);
    Operation operation = target.operation();
    if (operation.allowsAnonymous()) {
      return operation.handle(request(head, target, access, raw, cancel));
    }
    if (target.isSpecial() || !authority.allowsAnonymous()) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the request is not signed");
    }
    AccessRule.require(access, target, head);
    String mode =
        head.headers().first(HttpNames.AMZ_CONTENT_SHA256).orElse(PayloadDecoder.UNSIGNED);
    RequestBody body = PayloadDecoder.decode(head, mode, null, raw);
    return operation.handle(request(head, target, access, body, cancel));
  }

  private static S3Request request(
      RequestHead head,
      Router.Target target,
      Access access,
      RequestBody body,
      CancelSignal cancel) {
    return new S3Request(head, target.bucket(), target.key(), access, body, cancel);
  }

  private static S3Response encode(S3Exception refusal, RequestHead head) {
    return ErrorEncoder.encode(refusal, head.rawPath(), head.requestId());
  }
}
