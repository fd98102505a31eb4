package io.s3rdma.server.http;

import java.io.IOException;
import java.time.Clock;
import java.util.function.UnaryOperator;

/**
 * PostObject: a form that a browser sends to a bucket. It is read up to its file, its policy is
 * verified, and then it is the PUT that its fields stand for: the same rights, the same operation.
 */
final class FormPost {
  private final Authority authority;
  private final FormSignature signatures;
  private final Router router;
  private final Clock clock;
  private final UnaryOperator<String> tagging;

  FormPost(Authority authority, SigV4 sigV4, Router router, Clock clock, FormRules rules) {
    this.authority = authority;
    this.signatures = new FormSignature(authority.credentials(), sigV4, rules.allowsSignatureV2());
    this.router = router;
    this.clock = clock;
    this.tagging = rules.tagging();
  }

  /** Whether it is one; it is signed in the form, and nowhere else. */
  static boolean isAsked(Router.Target target, RequestHead head) {
    return target.level() == Router.Level.BUCKET
        && target.subresource().isEmpty()
        && head.method().equals("POST")
        && Form.isForm(head);
  }

  S3Response handle(RequestHead head, String bucket, RequestBody raw, CancelSignal cancel)
      throws IOException {
    Form form = Form.read(head, raw);
    FormFields fields = form.fields();
    Identity identity = Identity.ANONYMOUS;
    LengthRange lengths = LengthRange.ANY;
    if (FormSignature.isSigned(fields)) {
      identity = signatures.verify(fields);
      FormPolicy policy = FormPolicy.parse(fields.required(FormFields.POLICY));
      policy.require(clock.instant(), fields, bucket);
      lengths = policy.lengths();
    } else if (!authority.allowsAnonymous()) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the form is not signed");
    }
    requireBucket(fields, bucket);
    RequestHead put = FormHeaders.put(head, bucket, fields, tagging);
    Router.Target target = keyed(put);
    Access access = authority.access(identity, put, clock);
    AccessRule.require(access, target, put);
    RequestBody file = FileBody.of(head, form, lengths);
    S3Request request = new S3Request(put, bucket, target.key(), access, file, cancel);
    return FormAnswer.of(head, put, fields, target.operation().handle(request));
  }

  /** Some clients repeat the bucket's name as a field. */
  private static void requireBucket(FormFields fields, String bucket) {
    if (!fields.first(FormFields.BUCKET).orElse(bucket).equals(bucket)) {
      throw new S3Exception(
              S3ErrorCode.INVALID_ARGUMENT, "the field 'bucket' is not where the form was sent to")
          .withDetail("ArgumentName", FormFields.BUCKET);
    }
  }

  private Router.Target keyed(RequestHead put) {
    Router.Target target = router.route(put);
    if (target.level() != Router.Level.OBJECT) {
      throw new S3Exception(S3ErrorCode.USER_KEY_MUST_BE_SPECIFIED);
    }
    return target;
  }
}
