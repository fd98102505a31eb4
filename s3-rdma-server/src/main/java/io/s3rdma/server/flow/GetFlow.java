package io.s3rdma.server.flow;

import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.EvidenceText;
import io.s3rdma.server.http.ByteRange;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.ResponseBody;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.negotiation.Decision;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.StoredObject;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The way of a byte out of the server. */
public final class GetFlow {
  private final ObjectStore store;
  private final RdmaPath rdma;

  public GetFlow(ObjectStore store, RdmaPath rdma) {
    this.store = store;
    this.rdma = rdma;
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

  private S3Response answer(S3Request request, StoredObject object) throws IOException {
    ObjectMeta meta = object.meta();
    if (!ReadConditions.hold(request, meta)) {
      return S3Response.of(304, ObjectHeaders.unchanged(meta));
    }
    ByteRange range = ByteRange.select(request.header(HttpNames.RANGE), meta.size());
    Headers headers = ObjectHeaders.toAnswer(request, meta, range);
    // P-4.1: only now, when plain S3 would send the bytes.
    return switch (rdma.forGet(request, range.length())) {
      case Decision.PlainHttp _ -> httpBody(object, range, headers);
      case Decision.Declined declined ->
          rdma.declined(httpBody(object, range, headers), declined.reason());
      case Decision.NothingToMove _ -> rdma.nothingMoved(statusOf(range), headers);
      case Decision.Rdma plan -> byRdma(request, object, range, headers, plan);
      case Decision.Refused refused -> throw new IllegalStateException(refused.message());
    };
  }

  private S3Response byRdma(
      S3Request request, StoredObject object, ByteRange range, Headers headers, Decision.Rdma plan)
      throws IOException {
    Optional<EvidenceText> proof =
        rdma.write(request, plan, (at, target) -> readFully(object, range.first() + at, target));
    return proof.isPresent()
        ? rdma.moved(statusOf(range), headers, plan.bytes(), proof)
        : rdma.declined(httpBody(object, range, headers), DeclineReason.NO_STAGING_MEMORY);
  }

  private static void readFully(StoredObject object, long position, ByteBuffer target)
      throws IOException {
    int wanted = target.remaining();
    int got = object.read(position, target);
    if (got != wanted) {
      // P-4.5: short is a failure.
      throw new EOFException(
          "data file gave " + got + " of " + wanted + " bytes at " + position + "; it is damaged");
    }
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
        .withContent(new StoredContent(object), range.first(), range.length());
  }

  private static int statusOf(ByteRange range) {
    return range.partial() ? 206 : 200;
  }

  private static boolean hasBytesOf(S3Response answer) {
    return answer.body() instanceof ResponseBody.Content;
  }
}
