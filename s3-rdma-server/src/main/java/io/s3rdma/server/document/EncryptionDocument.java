package io.s3rdma.server.document;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.store.BucketMeta;
import java.util.List;

/** The document that turns a bucket's default encryption on. It has one meaning: AES256. */
public final class EncryptionDocument {
  /** The name of the setting of a bucket. */
  public static final String SETTING = "encryption";

  private static final String ROOT = "ServerSideEncryptionConfiguration";
  private static final String DEFAULT = "ApplyServerSideEncryptionByDefault";
  private static final String KMS_KEY = "KMSMasterKeyID";

  private EncryptionDocument() {}

  /** Whether what is written without a word of encryption is encrypted by the server. */
  public static boolean isOn(BucketMeta bucket) {
    return bucket.settings().containsKey(SETTING);
  }

  /** Checks a client's document and gives what to keep of it. */
  public static String toKeep(byte[] document) {
    XmlElement root = XmlElement.parse(document, ROOT).allow("Rule");
    List<XmlElement> rules = root.all("Rule");
    if (rules.size() != 1) {
      throw XmlElement.malformed("one Rule is needed");
    }
    check(rules.getFirst());
    return XmlElement.toDocument(ROOT, rules);
  }

  private static void check(XmlElement rule) {
    rule.allow(DEFAULT, "BucketKeyEnabled", "BlockedEncryptionTypes");
    if (rule.optional("BlockedEncryptionTypes").isPresent()) {
      throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, "BlockedEncryptionTypes");
    }
    rule.flag("BucketKeyEnabled"); // of no meaning but for KMS
    XmlElement byDefault = rule.required(DEFAULT).allow("SSEAlgorithm", KMS_KEY);
    String algorithm = byDefault.text("SSEAlgorithm").trim();
    switch (algorithm) {
      case "AES256" -> {}
      case "aws:kms", "aws:kms:dsse" ->
          throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, "the encryption " + algorithm);
      default -> throw XmlElement.malformed("SSEAlgorithm must be AES256");
    }
    if (byDefault.optional(KMS_KEY).isPresent()) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, KMS_KEY + " is not for AES256")
          .withDetail("ArgumentName", KMS_KEY);
    }
  }
}
