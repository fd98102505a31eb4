package io.s3rdma.server.http;

/** Header names of HTTP and S3, in lower case. */
public final class HttpNames {
  public static final String ACCEPT_RANGES = "accept-ranges";
  public static final String AUTHORIZATION = "authorization";
  public static final String CACHE_CONTROL = "cache-control";
  public static final String CONNECTION = "connection";
  public static final String CONTENT_DISPOSITION = "content-disposition";
  public static final String CONTENT_ENCODING = "content-encoding";
  public static final String CONTENT_LANGUAGE = "content-language";
  public static final String CONTENT_LENGTH = "content-length";
  public static final String CONTENT_MD5 = "content-md5";
  public static final String CONTENT_RANGE = "content-range";
  public static final String CONTENT_TYPE = "content-type";
  public static final String DATE = "date";
  public static final String ETAG = "etag";
  public static final String EXPECT = "expect";
  public static final String EXPIRES = "expires";
  public static final String HOST = "host";
  public static final String IF_MATCH = "if-match";
  public static final String IF_MODIFIED_SINCE = "if-modified-since";
  public static final String IF_NONE_MATCH = "if-none-match";
  public static final String IF_UNMODIFIED_SINCE = "if-unmodified-since";
  public static final String LAST_MODIFIED = "last-modified";
  public static final String LOCATION = "location";
  public static final String RANGE = "range";
  public static final String SERVER = "server";
  public static final String TRANSFER_ENCODING = "transfer-encoding";

  public static final String AMZ_PREFIX = "x-amz-";
  public static final String AMZ_META_PREFIX = "x-amz-meta-";
  public static final String AMZ_CHECKSUM_PREFIX = "x-amz-checksum-";
  public static final String AMZ_ACL = "x-amz-acl";
  public static final String AMZ_BUCKET_REGION = "x-amz-bucket-region";
  public static final String AMZ_CHECKSUM_MODE = "x-amz-checksum-mode";
  public static final String AMZ_CHECKSUM_TYPE = "x-amz-checksum-type";
  public static final String AMZ_CHECKSUM_ALGORITHM = "x-amz-checksum-algorithm";
  public static final String AMZ_CONFIRM_REMOVE_SELF_BUCKET_ACCESS =
      "x-amz-confirm-remove-self-bucket-access";
  public static final String AMZ_CONTENT_SHA256 = "x-amz-content-sha256";
  public static final String AMZ_COPY_SOURCE = "x-amz-copy-source";
  public static final String AMZ_COPY_SOURCE_RANGE = "x-amz-copy-source-range";
  public static final String AMZ_COPY_SOURCE_VERSION_ID = "x-amz-copy-source-version-id";
  public static final String AMZ_DATE = "x-amz-date";
  public static final String AMZ_DECODED_CONTENT_LENGTH = "x-amz-decoded-content-length";
  public static final String AMZ_DELETE_MARKER = "x-amz-delete-marker";
  public static final String AMZ_EXPECTED_BUCKET_OWNER = "x-amz-expected-bucket-owner";
  public static final String AMZ_MAX_PARTS = "x-amz-max-parts";
  public static final String AMZ_METADATA_DIRECTIVE = "x-amz-metadata-directive";
  public static final String AMZ_MP_OBJECT_SIZE = "x-amz-mp-object-size";
  public static final String AMZ_MP_PARTS_COUNT = "x-amz-mp-parts-count";
  public static final String AMZ_OBJECT_ATTRIBUTES = "x-amz-object-attributes";
  public static final String AMZ_PART_NUMBER_MARKER = "x-amz-part-number-marker";
  public static final String AMZ_REQUEST_ID = "x-amz-request-id";
  public static final String AMZ_SDK_CHECKSUM_ALGORITHM = "x-amz-sdk-checksum-algorithm";
  public static final String AMZ_SOURCE_EXPECTED_BUCKET_OWNER =
      "x-amz-source-expected-bucket-owner";

  /** SSE-S3; and SSE-C, whose three names stand behind this one and that of a copy's source. */
  public static final String AMZ_SSE = "x-amz-server-side-encryption";

  public static final String AMZ_COPY_SOURCE_SSE = "x-amz-copy-source-server-side-encryption";
  public static final String SSE_C_ALGORITHM = "-customer-algorithm";
  public static final String SSE_C_KEY = "-customer-key";
  public static final String SSE_C_KEY_MD5 = "-customer-key-md5";
  public static final String AMZ_STORAGE_CLASS = "x-amz-storage-class";
  public static final String AMZ_TAGGING = "x-amz-tagging";
  public static final String AMZ_TAGGING_DIRECTIVE = "x-amz-tagging-directive";
  public static final String AMZ_TRAILER = "x-amz-trailer";
  public static final String AMZ_TRAILER_SIGNATURE = "x-amz-trailer-signature";
  public static final String AMZ_VERSION_ID = "x-amz-version-id";

  private HttpNames() {}
}
