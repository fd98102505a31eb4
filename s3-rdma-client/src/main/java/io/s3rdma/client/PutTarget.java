package io.s3rdma.client;

import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** What a PUT's bytes become: an object, or a part of one (P-4.3). */
interface PutTarget {
  /** What was answered; {@code crc32c} is null where the server states none. */
  record Stored(SdkHttpResponse http, String etag, String crc32c) {}

  /**
   * Without a body: the token says where the bytes are.
   *
   * @param crc32c null for none
   */
  Stored byToken(S3Client s3, AwsRequestOverrideConfiguration tokenHeaders, String crc32c);

  /** With the bytes in the body. */
  Stored byBody(S3Client s3, RequestBody body);

  /** What to do about a target that may hold nothing after all. */
  String remedy();

  static PutTarget object(PutObjectRequest request) {
    return new WholeObject(request);
  }

  static PutTarget part(UploadPartRequest request) {
    return new OnePart(request);
  }

  /** An object in one request. */
  record WholeObject(PutObjectRequest request) implements PutTarget {
    @Override
    public Stored byToken(
        S3Client s3, AwsRequestOverrideConfiguration tokenHeaders, String crc32c) {
      PutObjectRequest.Builder with = request.toBuilder().overrideConfiguration(tokenHeaders);
      if (crc32c != null) {
        with.checksumCRC32C(crc32c);
      }
      return stored(s3.putObject(with.build(), RequestBody.empty()));
    }

    @Override
    public Stored byBody(S3Client s3, RequestBody body) {
      return stored(s3.putObject(request, body));
    }

    @Override
    public String remedy() {
      return "the object may be empty: delete or overwrite it";
    }

    private static Stored stored(PutObjectResponse response) {
      return new Stored(response.sdkHttpResponse(), response.eTag(), response.checksumCRC32C());
    }
  }

  /** A part of a multipart upload. */
  record OnePart(UploadPartRequest request) implements PutTarget {
    @Override
    public Stored byToken(
        S3Client s3, AwsRequestOverrideConfiguration tokenHeaders, String crc32c) {
      UploadPartRequest.Builder with = request.toBuilder().overrideConfiguration(tokenHeaders);
      if (crc32c != null) {
        with.checksumCRC32C(crc32c);
      }
      return stored(s3.uploadPart(with.build(), RequestBody.empty()));
    }

    @Override
    public Stored byBody(S3Client s3, RequestBody body) {
      return stored(s3.uploadPart(request, body));
    }

    @Override
    public String remedy() {
      return "the part may be empty: upload it again or abort the upload";
    }

    private static Stored stored(UploadPartResponse response) {
      return new Stored(response.sdkHttpResponse(), response.eTag(), response.checksumCRC32C());
    }
  }
}
