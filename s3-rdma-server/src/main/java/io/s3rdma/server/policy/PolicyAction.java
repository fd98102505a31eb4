package io.s3rdma.server.policy;

import java.util.Locale;

/** What this server does, in the words of policies; each operation of S3 needs one or more. */
public enum PolicyAction {
  ABORT_MULTIPART_UPLOAD("AbortMultipartUpload"),
  CREATE_BUCKET("CreateBucket"),
  DELETE_BUCKET("DeleteBucket"),
  DELETE_BUCKET_POLICY("DeleteBucketPolicy"),
  DELETE_OBJECT("DeleteObject"),
  DELETE_OBJECT_TAGGING("DeleteObjectTagging"),
  DELETE_OBJECT_VERSION("DeleteObjectVersion"),
  DELETE_OBJECT_VERSION_TAGGING("DeleteObjectVersionTagging"),
  GET_BUCKET_ACL("GetBucketAcl"),
  GET_BUCKET_CORS("GetBucketCORS"),
  GET_BUCKET_LOCATION("GetBucketLocation"),
  GET_BUCKET_POLICY("GetBucketPolicy"),
  GET_BUCKET_POLICY_STATUS("GetBucketPolicyStatus"),
  GET_BUCKET_TAGGING("GetBucketTagging"),
  GET_BUCKET_VERSIONING("GetBucketVersioning"),
  GET_ENCRYPTION_CONFIGURATION("GetEncryptionConfiguration"),
  GET_LIFECYCLE_CONFIGURATION("GetLifecycleConfiguration"),
  GET_OBJECT("GetObject"),
  GET_OBJECT_ACL("GetObjectAcl"),
  GET_OBJECT_ATTRIBUTES("GetObjectAttributes"),
  GET_OBJECT_TAGGING("GetObjectTagging"),
  GET_OBJECT_VERSION("GetObjectVersion"),
  GET_OBJECT_VERSION_ACL("GetObjectVersionAcl"),
  GET_OBJECT_VERSION_ATTRIBUTES("GetObjectVersionAttributes"),
  GET_OBJECT_VERSION_TAGGING("GetObjectVersionTagging"),
  LIST_ALL_MY_BUCKETS("ListAllMyBuckets"),
  LIST_BUCKET("ListBucket"),
  LIST_BUCKET_MULTIPART_UPLOADS("ListBucketMultipartUploads"),
  LIST_BUCKET_VERSIONS("ListBucketVersions"),
  LIST_MULTIPART_UPLOAD_PARTS("ListMultipartUploadParts"),
  PUT_BUCKET_ACL("PutBucketAcl"),
  PUT_BUCKET_CORS("PutBucketCORS"),
  PUT_BUCKET_POLICY("PutBucketPolicy"),
  PUT_BUCKET_TAGGING("PutBucketTagging"),
  PUT_BUCKET_VERSIONING("PutBucketVersioning"),
  PUT_ENCRYPTION_CONFIGURATION("PutEncryptionConfiguration"),
  PUT_LIFECYCLE_CONFIGURATION("PutLifecycleConfiguration"),
  PUT_OBJECT("PutObject"),
  PUT_OBJECT_ACL("PutObjectAcl"),
  PUT_OBJECT_TAGGING("PutObjectTagging"),
  PUT_OBJECT_VERSION_ACL("PutObjectVersionAcl"),
  PUT_OBJECT_VERSION_TAGGING("PutObjectVersionTagging");

  static final String PREFIX = "s3:";

  private final String text;
  private final String lowerCase;

  PolicyAction(String name) {
    this.text = PREFIX + name;
    this.lowerCase = text.toLowerCase(Locale.ROOT);
  }

  /** For example {@code s3:GetObject}. */
  public String text() {
    return text;
  }

  String lowerCase() {
    return lowerCase;
  }
}
