package io.s3rdma.server.http;

/** The single place of an error's S3 name, HTTP status and default text. */
public enum S3ErrorCode {
  ACCESS_DENIED("AccessDenied", 403, "Access Denied"),
  ACCESS_FORBIDDEN("AccessForbidden", 403, "CORSResponse: this CORS request is not allowed"),
  AUTHORIZATION_HEADER_MALFORMED(
      "AuthorizationHeaderMalformed", 400, "The authorization header is malformed"),
  AUTHORIZATION_QUERY_PARAMETERS_ERROR(
      "AuthorizationQueryParametersError", 400, "The authorization query is malformed"),
  BAD_DIGEST("BadDigest", 400, "The checksum you sent does not match what was received"),
  BUCKET_ALREADY_EXISTS("BucketAlreadyExists", 409, "The bucket name belongs to another account"),
  BUCKET_ALREADY_OWNED_BY_YOU("BucketAlreadyOwnedByYou", 409, "You already own this bucket"),
  BUCKET_NOT_EMPTY("BucketNotEmpty", 409, "The bucket still holds objects; delete them first"),
  CONDITIONAL_REQUEST_CONFLICT(
      "ConditionalRequestConflict", 409, "A conflicting operation happened; retry"),
  ENTITY_TOO_LARGE("EntityTooLarge", 400, "The upload exceeds the maximum allowed size"),
  ENTITY_TOO_SMALL("EntityTooSmall", 400, "A part that is not the last is too small"),
  EXPECTATION_FAILED("ExpectationFailed", 417, "The Expect header cannot be met"),
  ILLEGAL_VERSIONING_CONFIGURATION(
      "IllegalVersioningConfigurationException", 400, "The versioning configuration is not valid"),
  INCOMPLETE_BODY("IncompleteBody", 400, "The body has not the number of bytes that was announced"),
  INSUFFICIENT_STORAGE("InsufficientStorage", 507, "The store is full; nothing was stored"),
  INTERNAL_ERROR("InternalError", 500, "An internal error happened; look into the server's log"),
  INVALID_ACCESS_KEY_ID("InvalidAccessKeyId", 403, "The access key id is not known here"),
  INVALID_ARGUMENT("InvalidArgument", 400, "Invalid argument"),
  INVALID_BUCKET_NAME("InvalidBucketName", 400, "The bucket name is not valid"),
  INVALID_DIGEST("InvalidDigest", 400, "The Content-MD5 you sent is not valid"),
  INVALID_ENCRYPTION_ALGORITHM(
      "InvalidEncryptionAlgorithmError", 400, "The encryption algorithm must be AES256"),
  INVALID_PART("InvalidPart", 400, "A listed part was not uploaded or has another ETag"),
  INVALID_PART_ORDER("InvalidPartOrder", 400, "The parts are not in ascending order"),
  INVALID_POLICY_DOCUMENT(
      "InvalidPolicyDocument", 400, "The policy of the form is not valid or not what is expected"),
  INVALID_RANGE("InvalidRange", 416, "The requested range cannot be satisfied"),
  INVALID_REQUEST("InvalidRequest", 400, "Invalid request"),
  INVALID_STORAGE_CLASS("InvalidStorageClass", 400, "The storage class is not valid"),
  INVALID_TAG("InvalidTag", 400, "The tag is not valid"),
  INVALID_URI("InvalidURI", 400, "The URI could not be parsed"),
  KEY_TOO_LONG("KeyTooLongError", 400, "The key is longer than 1024 bytes"),
  MALFORMED_POLICY("MalformedPolicy", 400, "The policy is not valid"),
  MALFORMED_POST_REQUEST(
      "MalformedPOSTRequest", 400, "The body is not well-formed multipart/form-data"),
  MALFORMED_TRAILER(
      "MalformedTrailerError", 400, "The trailer is not what x-amz-trailer announced"),
  MALFORMED_XML("MalformedXML", 400, "The XML is not well formed or not what is expected here"),
  MAX_POST_PRE_DATA_LENGTH_EXCEEDED(
      "MaxPostPreDataLengthExceeded", 400, "The fields before the file are too large"),
  METADATA_TOO_LARGE("MetadataTooLarge", 400, "The user metadata exceeds 2048 bytes"),
  METHOD_NOT_ALLOWED("MethodNotAllowed", 405, "The method is not allowed on this resource"),
  MISSING_CONTENT_LENGTH("MissingContentLength", 411, "A Content-Length header is needed"),
  MISSING_REQUEST_BODY("MissingRequestBodyError", 400, "The request body is empty"),
  MISSING_SECURITY_HEADER("MissingSecurityHeader", 400, "A header that says who may is missing"),
  NO_SUCH_BUCKET("NoSuchBucket", 404, "The bucket does not exist"),
  NO_SUCH_BUCKET_POLICY("NoSuchBucketPolicy", 404, "The bucket has no policy"),
  NO_SUCH_CORS_CONFIGURATION(
      "NoSuchCORSConfiguration", 404, "The bucket has no CORS configuration"),
  NO_SUCH_ENCRYPTION_CONFIGURATION(
      "ServerSideEncryptionConfigurationNotFoundError",
      404,
      "The bucket has no default encryption"),
  NO_SUCH_KEY("NoSuchKey", 404, "The key does not exist"),
  NO_SUCH_LIFECYCLE_CONFIGURATION(
      "NoSuchLifecycleConfiguration", 404, "The bucket has no lifecycle configuration"),
  NO_SUCH_TAG_SET("NoSuchTagSet", 404, "There are no tags"),
  NO_SUCH_UPLOAD("NoSuchUpload", 404, "The upload does not exist; it may be completed or aborted"),
  NO_SUCH_VERSION("NoSuchVersion", 404, "The version does not exist"),
  NOT_IMPLEMENTED("NotImplemented", 501, "This server does not implement what was asked"),
  // Amazon answers 400; ceph/s3-tests, and so its peers, have 403.
  PRESIGN_EXPIRES_OUT_OF_RANGE(
      "AuthorizationQueryParametersError", 403, "X-Amz-Expires is out of range"),
  PRECONDITION_FAILED("PreconditionFailed", 412, "A precondition you gave did not hold"),
  QUOTA_EXCEEDED("QuotaExceeded", 403, "The bucket's space limit is reached; nothing was stored"),
  REQUEST_HEADERS_TOO_LARGE("RequestHeaderSectionTooLarge", 431, "The headers are too long"),
  REQUEST_TIMEOUT("RequestTimeout", 400, "The body did not arrive in time"),
  REQUEST_TIME_TOO_SKEWED(
      "RequestTimeTooSkewed", 403, "The request's time differs too much from the server's"),
  SIGNATURE_DOES_NOT_MATCH(
      "SignatureDoesNotMatch", 403, "The signature is not the one calculated here; check the key"),
  SLOW_DOWN("SlowDown", 503, "Too many requests; slow down and retry"),
  URI_TOO_LONG("URITooLong", 414, "The request line is too long"),
  USER_KEY_MUST_BE_SPECIFIED("UserKeyMustBeSpecified", 400, "The key is empty"),
  X_AMZ_CONTENT_SHA256_MISMATCH(
      "XAmzContentSHA256Mismatch", 400, "x-amz-content-sha256 is not that of the body"),

  // Section 6 of the protocol.
  INVALID_RDMA_TOKEN("InvalidRDMAToken", 400, "The RDMA token is malformed"),
  NO_SUCH_RDMA_CONNECTION(
      "NoSuchRdmaConnection", 404, "The RDMA connection is unknown or gone; connect again"),
  RDMA_ACCESS_REFUSED(
      "RdmaAccessRefused", 400, "The client's memory refused the access; check rkey and rights"),
  RDMA_CONNECTION_BUSY("RdmaConnectionBusy", 409, "The RDMA connection already carries a transfer"),
  RDMA_DEADLINE_EXCEEDED(
      "RdmaDeadlineExceeded", 503, "The RDMA transfer did not end before its deadline"),
  RDMA_ENDPOINT_NOT_ALLOWED(
      "RdmaEndpointNotAllowed", 403, "The GID is neither the HTTP peer nor in a client subnet"),
  RDMA_EVIDENCE_CONTRADICTED(
      "RdmaEvidenceContradicted", 500, "The counters contradict the RDMA transfer"),
  RDMA_NOT_SUPPORTED("RDMANotSupported", 501, "RDMA was declined; send the body by HTTP"),
  RDMA_TRANSFER_FAILED("RdmaTransferFailed", 502, "The fabric failed the RDMA transfer"),
  RDMA_WINDOW_TOO_SMALL(
      "RdmaWindowTooSmall", 400, "The window is smaller than the selected bytes; send a Range");

  private final String code;
  private final int status;
  private final String text;

  S3ErrorCode(String code, int status, String text) {
    this.code = code;
    this.status = status;
    this.text = text;
  }

  public String code() {
    return code;
  }

  public int status() {
    return status;
  }

  public String text() {
    return text;
  }
}
