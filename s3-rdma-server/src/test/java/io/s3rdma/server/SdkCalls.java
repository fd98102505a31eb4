package io.s3rdma.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/** The same calls whatever client makes them; errors are the SDK's own exceptions. */
interface SdkCalls extends AutoCloseable {
  void createBucket(String bucket);

  PutObjectResponse put(PutObjectRequest request, byte[] content);

  ResponseBytes<GetObjectResponse> get(GetObjectRequest request);

  HeadObjectResponse head(HeadObjectRequest request);

  ListObjectsV2Response list(ListObjectsV2Request request);

  void delete(DeleteObjectRequest request);

  DeleteObjectsResponse deleteMany(DeleteObjectsRequest request);

  @Override
  void close();

  static SdkCalls of(S3Client s3) {
    return new Blocking(s3);
  }

  static SdkCalls of(S3AsyncClient s3) {
    return new Waiting(s3);
  }

  /** The client that blocks. */
  record Blocking(S3Client s3) implements SdkCalls {
    @Override
    public void createBucket(String bucket) {
      s3.createBucket(b -> b.bucket(bucket));
    }

    @Override
    public PutObjectResponse put(PutObjectRequest request, byte[] content) {
      return s3.putObject(request, RequestBody.fromBytes(content));
    }

    @Override
    public ResponseBytes<GetObjectResponse> get(GetObjectRequest request) {
      return s3.getObjectAsBytes(request);
    }

    @Override
    public HeadObjectResponse head(HeadObjectRequest request) {
      return s3.headObject(request);
    }

    @Override
    public ListObjectsV2Response list(ListObjectsV2Request request) {
      return s3.listObjectsV2(request);
    }

    @Override
    public void delete(DeleteObjectRequest request) {
      s3.deleteObject(request);
    }

    @Override
    public DeleteObjectsResponse deleteMany(DeleteObjectsRequest request) {
      return s3.deleteObjects(request);
    }

    @Override
    public void close() {
      s3.close();
    }
  }

  /** An asynchronous client, of which each answer is waited for. */
  record Waiting(S3AsyncClient s3) implements SdkCalls {
    private static final int PATIENCE_SECONDS = 30;

    @Override
    public void createBucket(String bucket) {
      await(s3.createBucket(b -> b.bucket(bucket)));
    }

    @Override
    public PutObjectResponse put(PutObjectRequest request, byte[] content) {
      return await(s3.putObject(request, AsyncRequestBody.fromBytes(content)));
    }

    @Override
    public ResponseBytes<GetObjectResponse> get(GetObjectRequest request) {
      return await(s3.getObject(request, AsyncResponseTransformer.toBytes()));
    }

    @Override
    public HeadObjectResponse head(HeadObjectRequest request) {
      return await(s3.headObject(request));
    }

    @Override
    public ListObjectsV2Response list(ListObjectsV2Request request) {
      return await(s3.listObjectsV2(request));
    }

    @Override
    public void delete(DeleteObjectRequest request) {
      await(s3.deleteObject(request));
    }

    @Override
    public DeleteObjectsResponse deleteMany(DeleteObjectsRequest request) {
      return await(s3.deleteObjects(request));
    }

    @Override
    public void close() {
      s3.close();
    }

    /** No longer than a client would wait: an answer that never ends is a failure, not a wait. */
    private static <T> T await(CompletableFuture<T> answer) {
      try {
        return answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
      } catch (CompletionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw e;
      }
    }
  }
}
