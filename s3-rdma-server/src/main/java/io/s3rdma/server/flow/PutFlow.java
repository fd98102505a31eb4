package io.s3rdma.server.flow;

import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.EvidenceText;
import io.s3rdma.server.http.ChecksumVerifier;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.RequestBody;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.negotiation.Decision;
import io.s3rdma.server.store.EtagKind;
import io.s3rdma.server.store.NewObject;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.ObjectWriter;
import io.s3rdma.server.store.Preconditions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The way of a byte into the server. */
public final class PutFlow {
  // What would change the object's meaning is refused, never ignored.
  private static final List<String> UNSUPPORTED =
      List.of(
          HttpNames.AMZ_COPY_SOURCE,
          "x-amz-server-side-encryption",
          "x-amz-server-side-encryption-customer-algorithm",
          "x-amz-object-lock-mode",
          "x-amz-object-lock-legal-hold",
          "x-amz-tagging",
          "x-amz-website-redirect-location",
          "x-amz-write-offset-bytes");
  private static final byte[] NO_MD5 = {};
  private static final int BUFFER_BYTES = 256 * 1024;
  // One a thread of the bounded operation pool; direct, so that file writes do not copy.
  private static final ThreadLocal<ByteBuffer> BUFFER =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(BUFFER_BYTES));

  private final ObjectStore store;
  private final long objectBytesMax;
  private final RdmaPath rdma;

  public PutFlow(ObjectStore store, long objectBytesMax, RdmaPath rdma) {
    this.store = store;
    this.objectBytesMax = objectBytesMax;
    this.rdma = rdma;
  }

  public S3Response handle(S3Request request) throws IOException {
    refuseUnsupported(request);
    Preconditions preconditions = preconditions(request);
    Map<String, String> attributes = ObjectHeaders.toKeep(request.headers());
    ChecksumVerifier checksum = ChecksumVerifier.forRequest(request.headers());
    checkBeforeBody(request, preconditions);
    // P-4.1: only now, when plain S3 would take the bytes.
    return switch (rdma.forPut(request)) {
      case Decision.PlainHttp _ -> httpBody(request, preconditions, attributes, checksum);
      case Decision.Declined declined -> throw rdma.declinedPut(declined.reason());
      case Decision.Rdma plan -> byRdma(request, preconditions, attributes, checksum, plan);
      case Decision.NothingToMove _ ->
          throw new IllegalStateException("a token of size 0 does not parse (P-3.1)");
      case Decision.Refused refused -> throw new IllegalStateException(refused.message());
    };
  }

  /** P-4.3: reads exactly the token's size, verifies, stores durably, then answers. */
  private S3Response byRdma(
      S3Request request,
      Preconditions preconditions,
      Map<String, String> attributes,
      ChecksumVerifier checksum,
      Decision.Rdma plan)
      throws IOException {
    if (plan.bytes() > objectBytesMax) {
      throw tooLarge();
    }
    boolean wantsMd5 = request.headers().contains(HttpNames.CONTENT_MD5);
    EtagKind etag = wantsMd5 ? EtagKind.MD5 : EtagKind.OPAQUE;
    try (ObjectWriter writer = store.create(newObject(request, attributes), plan.bytes(), etag)) {
      Optional<EvidenceText> proof =
          rdma.read(
              request,
              plan,
              bytes -> {
                checksum.update(bytes);
                writer.write(bytes);
              });
      if (proof.isEmpty()) {
        throw rdma.declinedPut(DeclineReason.NO_STAGING_MEMORY);
      }
      Map<String, String> sums = checksum.verify(Headers.EMPTY, wantsMd5 ? writer.md5() : NO_MD5);
      ObjectMeta meta = writer.commit(preconditions, sums);
      return rdma.moved(200, ObjectHeaders.stored(meta), plan.bytes(), proof);
    }
  }

  private S3Response httpBody(
      S3Request request,
      Preconditions preconditions,
      Map<String, String> attributes,
      ChecksumVerifier checksum)
      throws IOException {
    long length = payloadLength(request);
    try (ObjectWriter writer = store.create(newObject(request, attributes), length, EtagKind.MD5)) {
      receive(request.body(), writer, checksum);
      Map<String, String> sums = checksum.verify(request.body().trailers(), writer.md5());
      ObjectMeta meta = writer.commit(preconditions, sums);
      return S3Response.of(200, ObjectHeaders.stored(meta));
    }
  }

  private static NewObject newObject(S3Request request, Map<String, String> attributes) {
    return new NewObject(request.bucket(), request.key(), attributes, Map.of(), "");
  }

  private void receive(RequestBody body, ObjectWriter writer, ChecksumVerifier checksum)
      throws IOException {
    ByteBuffer buffer = BUFFER.get().clear();
    while (body.read(buffer) >= 0) {
      if (!buffer.hasRemaining()) {
        store(buffer, writer, checksum);
      }
    }
    store(buffer, writer, checksum);
  }

  private void store(ByteBuffer buffer, ObjectWriter writer, ChecksumVerifier checksum)
      throws IOException {
    buffer.flip();
    if (writer.written() + buffer.remaining() > objectBytesMax) {
      throw tooLarge();
    }
    checksum.update(buffer);
    writer.write(buffer);
    buffer.clear();
  }

  private long payloadLength(S3Request request) {
    long length = request.payloadLength();
    if (length < 0 && !request.hasTransferEncoding()) {
      throw new S3Exception(S3ErrorCode.MISSING_CONTENT_LENGTH);
    }
    if (length > objectBytesMax) {
      throw tooLarge();
    }
    return length;
  }

  private S3Exception tooLarge() {
    return new S3Exception(S3ErrorCode.ENTITY_TOO_LARGE)
        .withDetail("MaxSizeAllowed", Long.toString(objectBytesMax));
  }

  private static void refuseUnsupported(S3Request request) {
    for (String header : UNSUPPORTED) {
      if (request.headers().contains(header)) {
        throw new S3Exception(
            S3ErrorCode.NOT_IMPLEMENTED, "PutObject with " + header + " is not implemented here");
      }
    }
  }

  private static Preconditions preconditions(S3Request request) {
    return new Preconditions(
        ETags.parse(request, HttpNames.IF_MATCH), ETags.parse(request, HttpNames.IF_NONE_MATCH));
  }

  /** Spares a body that cannot be stored. What counts is decided again at the commit. */
  private void checkBeforeBody(S3Request request, Preconditions preconditions) throws IOException {
    if (preconditions.isEmpty()) {
      if (store.bucket(request.bucket()).isEmpty()) {
        throw new S3Exception(S3ErrorCode.NO_SUCH_BUCKET);
      }
    } else {
      preconditions.check(store.head(request.bucket(), request.key()));
    }
  }
}
