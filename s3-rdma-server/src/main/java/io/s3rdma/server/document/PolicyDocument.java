package io.s3rdma.server.document;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.StrictUtf8;
import io.s3rdma.server.policy.BucketPolicy;
import io.s3rdma.server.policy.MalformedPolicyException;
import io.s3rdma.server.store.BucketMeta;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A bucket's policy as a client gives it, and as the store keeps it: the very text. */
public final class PolicyDocument {
  /** The name of the setting of a bucket. */
  public static final String SETTING = "policy";

  /** What a document may have. */
  public static final int BYTES_MAX = 20 * 1024;

  /** Set where the policy's denials bind the root of the bucket's account, too. */
  public static final String BINDS_ROOT = "policy-binds-root";

  private static final KeptDocuments<BucketPolicy> KEPT =
      new KeptDocuments<>(PolicyDocument::parseKept, BucketPolicy.DENIES_ALL);

  private PolicyDocument() {}

  /** Read once, however often it is asked for. */
  public static BucketPolicy of(BucketMeta bucket) {
    String text = bucket.settings().get(SETTING);
    return text == null ? BucketPolicy.NONE : KEPT.get(text);
  }

  /** Checks a client's document for a bucket and gives what to keep of it. */
  public static String toKeep(byte[] document, String bucket) {
    try {
      String text = StrictUtf8.decode(document);
      BucketPolicy.parse(text, bucket);
      return text;
    } catch (CharacterCodingException e) {
      throw new S3Exception(S3ErrorCode.MALFORMED_POLICY, "the policy is not UTF-8", e);
    } catch (MalformedPolicyException e) {
      throw new S3Exception(S3ErrorCode.MALFORMED_POLICY, e.getMessage(), e);
    }
  }

  private static BucketPolicy parseKept(byte[] document) {
    try {
      return BucketPolicy.parse(new String(document, StandardCharsets.UTF_8));
    } catch (MalformedPolicyException e) {
      throw new S3Exception(S3ErrorCode.MALFORMED_POLICY, e.getMessage(), e);
    }
  }
}
