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
import io.s3rdma.server.store.DataWriter;
import io.s3rdma.server.store.EtagKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;

/** The way of a byte into the server, by the body or by RDMA: the same for objects and parts. */
final class Intake {
  private static final byte[] NO_MD5 = {};

  private final long bytesMax;
  private final RdmaPath rdma;

  Intake(long bytesMax, RdmaPath rdma) {
    this.bytesMax = bytesMax;
    this.rdma = rdma;
  }

  /** Begins what the bytes are written to. */
  interface Opening<W extends DataWriter> {
    W open(long expectedLength, EtagKind etag) throws IOException;
  }

  /** Ends it; what it returns goes into the answer. */
  interface Commit<W extends DataWriter> {
    Headers commit(W writer, Map<String, String> checksums) throws IOException;
  }

  /** P-4.1: only for a request whose bytes plain S3 would take. */
  <W extends DataWriter> S3Response take(
      S3Request request, ChecksumVerifier checksum, Opening<W> opening, Commit<W> commit)
      throws IOException {
    return switch (rdma.forPut(request)) {
      case Decision.PlainHttp _ -> byBody(request, checksum, opening, commit);
      case Decision.Declined declined -> throw rdma.declinedPut(declined.reason());
      case Decision.Rdma plan -> byRdma(request, checksum, opening, commit, plan);
      case Decision.NothingToMove _ ->
          throw new IllegalStateException("a token of size 0 does not parse (P-3.1)");
      case Decision.Refused refused -> throw new IllegalStateException(refused.message());
    };
  }

  /** P-4.3: reads exactly the token's size, verifies, stores durably, then answers. */
  private <W extends DataWriter> S3Response byRdma(
      S3Request request,
      ChecksumVerifier checksum,
      Opening<W> opening,
      Commit<W> commit,
      Decision.Rdma plan)
      throws IOException {
    requireFits(plan.bytes());
    boolean wantsMd5 = request.headers().contains(HttpNames.CONTENT_MD5);
    EtagKind etag = wantsMd5 ? EtagKind.MD5 : EtagKind.OPAQUE;
    try (W writer = opening.open(plan.bytes(), etag)) {
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
      return rdma.moved(200, commit.commit(writer, sums), plan.bytes(), proof);
    }
  }

  private <W extends DataWriter> S3Response byBody(
      S3Request request, ChecksumVerifier checksum, Opening<W> opening, Commit<W> commit)
      throws IOException {
    long length = payloadLength(request);
    try (W writer = opening.open(length, EtagKind.MD5)) {
      receive(request.body(), writer, checksum);
      Map<String, String> sums = checksum.verify(request.body().trailers(), writer.md5());
      return S3Response.of(200, commit.commit(writer, sums));
    }
  }

  private void receive(RequestBody body, DataWriter writer, ChecksumVerifier checksum)
      throws IOException {
    ByteBuffer buffer = ThreadBuffer.cleared();
    while (body.read(buffer) >= 0) {
      if (!buffer.hasRemaining()) {
        store(buffer, writer, checksum);
      }
    }
    store(buffer, writer, checksum);
  }

  private void store(ByteBuffer buffer, DataWriter writer, ChecksumVerifier checksum)
      throws IOException {
    buffer.flip();
    requireFits(writer.written() + buffer.remaining());
    checksum.update(buffer);
    writer.write(buffer);
    buffer.clear();
  }

  private long payloadLength(S3Request request) {
    long length = request.payloadLength();
    if (length < 0 && !request.hasTransferEncoding()) {
      throw new S3Exception(S3ErrorCode.MISSING_CONTENT_LENGTH);
    }
    requireFits(length);
    return length;
  }

  private void requireFits(long bytes) {
    if (bytes > bytesMax) {
      throw new S3Exception(S3ErrorCode.ENTITY_TOO_LARGE)
          .withDetail("MaxSizeAllowed", Long.toString(bytesMax));
    }
  }
}
