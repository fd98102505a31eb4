package io.s3rdma.server.s3;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.util.function.Function;

/**
 * GET, PUT and DELETE of a bucket's setting that is a document: CORS, lifecycle, tags. What the
 * store keeps was checked when it came.
 */
final class SettingOperations {
  private static final int XML_BYTES_MAX = 1 << 20;

  private final ObjectStore store;
  private final String setting;
  private final Function<byte[], String> toKeep;
  private final S3ErrorCode missing;

  /**
   * A setting.
   *
   * @param toKeep checks a client's document and gives what to keep of it
   * @param missing what a GET answers where there is none
   */
  SettingOperations(
      ObjectStore store, String setting, Function<byte[], String> toKeep, S3ErrorCode missing) {
    this.store = store;
    this.setting = setting;
    this.toKeep = toKeep;
    this.missing = missing;
  }

  S3Response get(S3Request request) throws IOException {
    BucketMeta bucket = BucketOperations.require(store, request.bucket());
    return S3Response.xml(
        200,
        bucket
            .setting(setting)
            .orElseThrow(
                () -> new S3Exception(missing).withDetail("BucketName", request.bucket())));
  }

  S3Response put(S3Request request) throws IOException {
    BucketOperations.require(store, request.bucket());
    String kept = toKeep.apply(RequestDocument.read(request, XML_BYTES_MAX));
    store.updateBucket(request.bucket(), bucket -> bucket.withSetting(setting, kept));
    return S3Response.of(200);
  }

  S3Response delete(S3Request request) throws IOException {
    store.updateBucket(request.bucket(), bucket -> bucket.withSetting(setting, null));
    return S3Response.of(204);
  }
}
