package io.s3rdma.server.http;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** Wraps the raw body by what {@code x-amz-content-sha256} announces, and by nothing else. */
final class PayloadDecoder {
  static final String UNSIGNED = "UNSIGNED-PAYLOAD";

  private static final String SIGNED_CHUNKS = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
  private static final String SIGNED_CHUNKS_TRAILER = SIGNED_CHUNKS + "-TRAILER";
  private static final String UNSIGNED_CHUNKS_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";

  private PayloadDecoder() {}

  /** {@code chunks} is null where the request is not signed; {@code mode} is the header's value. */
  static RequestBody decode(RequestHead head, String mode, ChunkSigner chunks, RequestBody raw) {
    return switch (mode) {
      case UNSIGNED -> raw;
      case SIGNED_CHUNKS -> chunked(head, raw, required(chunks), Set.of());
      case SIGNED_CHUNKS_TRAILER -> chunked(head, raw, required(chunks), trailers(head));
      case UNSIGNED_CHUNKS_TRAILER -> chunked(head, raw, null, trailers(head));
      default -> {
        if (!mode.matches("[0-9a-f]{64}")) {
          throw new S3Exception(
              mode.startsWith("STREAMING-")
                  ? S3ErrorCode.NOT_IMPLEMENTED
                  : S3ErrorCode.INVALID_REQUEST,
              "x-amz-content-sha256 must be " + UNSIGNED + ", a known STREAMING mode or a sha256");
        }
        yield new DigestedBody(raw, mode);
      }
    };
  }

  private static ChunkSigner required(ChunkSigner chunks) {
    if (chunks == null) {
      throw new S3Exception(
          S3ErrorCode.ACCESS_DENIED, "the chunks are signed but the request is not");
    }
    return chunks;
  }

  private static RequestBody chunked(
      RequestHead head, RequestBody raw, ChunkSigner signer, Set<String> trailers) {
    long length = head.payloadLength();
    if (length < 0) {
      throw new S3Exception(
          S3ErrorCode.MISSING_CONTENT_LENGTH, "x-amz-decoded-content-length is missing");
    }
    return new AwsChunkedBody(raw, length, signer, trailers);
  }

  private static Set<String> trailers(RequestHead head) {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (String value : head.headers().all(HttpNames.AMZ_TRAILER)) {
      Arrays.stream(value.split(",", -1))
          .map(String::trim)
          .filter(name -> !name.isEmpty())
          .forEach(names::add);
    }
    return names;
  }
}
