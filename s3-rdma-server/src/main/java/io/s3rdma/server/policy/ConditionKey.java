package io.s3rdma.server.policy;

import java.util.Locale;

/**
 * What a condition asks of the request.
 *
 * @param tag the tag's key, for the two kinds that have one; else empty
 */
public record ConditionKey(Kind kind, String tag) {

  /** The keys that this server knows. Others are refused, since a Deny on them would never hold. */
  public enum Kind {
    CURRENT_TIME("aws:CurrentTime"),
    EPOCH_TIME("aws:EpochTime"),
    PRINCIPAL_ACCOUNT("aws:PrincipalAccount"),
    PRINCIPAL_ARN("aws:PrincipalArn"),
    PRINCIPAL_TYPE("aws:PrincipalType"),
    REFERER("aws:Referer"),
    RESOURCE_ACCOUNT("aws:ResourceAccount"),
    SECURE_TRANSPORT("aws:SecureTransport"),
    SOURCE_IP("aws:SourceIp"),
    USER_AGENT("aws:UserAgent"),
    USER_ID("aws:userid"),
    USER_NAME("aws:username"),
    AUTH_TYPE("s3:authType"),
    DELIMITER("s3:delimiter"),
    MAX_KEYS("s3:max-keys"),
    PREFIX("s3:prefix"),
    SIGNATURE_VERSION("s3:signatureversion"),
    VERSION_ID("s3:VersionId"),
    EXISTING_OBJECT_TAG("s3:ExistingObjectTag/"),
    REQUEST_OBJECT_TAG("s3:RequestObjectTag/"),
    REQUEST_OBJECT_TAG_KEYS("s3:RequestObjectTagKeys"),
    // The header of this name.
    X_AMZ_ACL("s3:x-amz-acl"),
    X_AMZ_CONTENT_SHA256("s3:x-amz-content-sha256"),
    X_AMZ_COPY_SOURCE("s3:x-amz-copy-source"),
    X_AMZ_METADATA_DIRECTIVE("s3:x-amz-metadata-directive"),
    X_AMZ_SERVER_SIDE_ENCRYPTION("s3:x-amz-server-side-encryption"),
    X_AMZ_SERVER_SIDE_ENCRYPTION_AWS_KMS_KEY_ID("s3:x-amz-server-side-encryption-aws-kms-key-id"),
    X_AMZ_SERVER_SIDE_ENCRYPTION_CUSTOMER_ALGORITHM(
        "s3:x-amz-server-side-encryption-customer-algorithm"),
    X_AMZ_STORAGE_CLASS("s3:x-amz-storage-class");

    private final String text;
    private final String lowerCase;

    Kind(String text) {
      this.text = text;
      this.lowerCase = text.toLowerCase(Locale.ROOT);
    }

    public String text() {
      return text;
    }

    private boolean hasTag() {
      return text.endsWith("/");
    }
  }

  /** Names of keys have no case; those of tags do. */
  static ConditionKey parse(String text) throws MalformedPolicyException {
    String lower = text.toLowerCase(Locale.ROOT);
    for (Kind kind : Kind.values()) {
      if (!kind.hasTag() && lower.equals(kind.lowerCase)) {
        return new ConditionKey(kind, "");
      }
      if (kind.hasTag() && lower.startsWith(kind.lowerCase)) {
        String tag = text.substring(kind.text.length());
        if (!tag.isEmpty()) {
          return new ConditionKey(kind, tag);
        }
      }
    }
    throw new MalformedPolicyException("the condition key " + text + " is not known here");
  }

  String text() {
    return kind.text + tag;
  }
}
