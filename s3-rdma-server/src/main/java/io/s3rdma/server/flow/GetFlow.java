package io.s3rdma.server.flow;

import io.s3rdma.server.http.ByteRange;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.ResponseBody;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.StoredObject;
import java.io.IOException;

/** The way of a byte out of the server. */
public final class GetFlow {
  private final ObjectStore store;

  public GetFlow(ObjectStore store) {
    this.store = store;
  }

  public S3Response handle(S3Request request) throws IOException {
    // Opened once: headers and bytes are of one version, whatever happens to the key.
    StoredObject object = store.open(request.bucket(), request.key());
    S3Response answer = null;
    try {
      answer = answer(request, object);
      return answer;
    } finally {
      if (answer == null || !hasBytesOf(answer)) {
        object.close();
      }
    }
  }

  private S3Response answer(S3Request request, StoredObject object) {
    ObjectMeta meta = object.meta();
    if (!ReadConditions.hold(request, meta)) {
      return S3Response.of(304, ObjectHeaders.unchanged(meta));
    }
    ByteRange range = ByteRange.select(request.header(HttpNames.RANGE), meta.size());
    Headers headers = ObjectHeaders.toAnswer(request, meta, range);
    return httpBody(object, range, headers);
  }

  /** The same without the bytes; never takes part in RDMA (P-1.13). */
  public S3Response head(S3Request request) throws IOException {
    ObjectMeta meta =
        store
            .head(request.bucket(), request.key())
            .orElseThrow(() -> new S3Exception(S3ErrorCode.NO_SUCH_KEY));
    if (!ReadConditions.hold(request, meta)) {
      return S3Response.of(304, ObjectHeaders.unchanged(meta));
    }
    ByteRange range = ByteRange.select(request.header(HttpNames.RANGE), meta.size());
    Headers headers = ObjectHeaders.toAnswer(request, meta, range);
    return S3Response.of(statusOf(range), headers).withLengthOnly(range.length());
  }

  /** The answer owns the object from here. */
  private static S3Response httpBody(StoredObject object, ByteRange range, Headers headers) {
    return S3Response.of(statusOf(range), headers)
        .withFile(object.channel(), range.first(), range.length(), object);
  }

  private static int statusOf(ByteRange range) {
    return range.partial() ? 206 : 200;
  }

  private static boolean hasBytesOf(S3Response answer) {
    return answer.body() instanceof ResponseBody.FileRange;
  }
}
