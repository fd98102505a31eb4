package io.s3rdma.server.flow;

import io.s3rdma.server.http.ByteRange;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.PartMeta;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What a GET or HEAD selects of an object.
 *
 * @param checksums those that are over exactly the selected bytes
 * @param partsCount to state; 0 for none
 */
record Selection(ByteRange range, Map<String, String> checksums, int partsCount) {
  /** By partNumber, by Range, or all of it. */
  static Selection of(S3Request request, ObjectMeta meta, ObjectStore store) throws IOException {
    if (request.query(PartNumbers.QUERY).isPresent()) {
      if (request.headers().contains(HttpNames.RANGE)) {
        throw new S3Exception(
            S3ErrorCode.INVALID_REQUEST, "give a Range or a partNumber, not both");
      }
      return ofPart(PartNumbers.required(request), meta, store);
    }
    ByteRange range = ByteRange.select(request.header(HttpNames.RANGE), meta.size());
    // A whole object's checksum must never stand beside a part of its bytes.
    return new Selection(range, range.partial() ? Map.of() : meta.checksums(), 0);
  }

  /**
   * Parts count from 1 without gaps, whatever numbers they were uploaded with: clients walk from 1
   * to x-amz-mp-parts-count.
   */
  private static Selection ofPart(int number, ObjectMeta meta, ObjectStore store)
      throws IOException {
    if (meta.partCount() == 0) {
      requireWithin(number, 1);
      return new Selection(bytes(0, meta.size()), meta.checksums(), 0);
    }
    requireWithin(number, meta.partCount());
    List<PartMeta> parts = store.parts(meta);
    long first = 0;
    for (PartMeta before : parts.subList(0, number - 1)) {
      first += before.size();
    }
    PartMeta part = parts.get(number - 1);
    return new Selection(bytes(first, part.size()), part.checksums(), parts.size());
  }

  /** Refuses a part that is not there; said also to who has not the object's key, as peers do. */
  static void requirePart(S3Request request, ObjectMeta meta) {
    if (request.query(PartNumbers.QUERY).isPresent()) {
      requireWithin(PartNumbers.required(request), Math.max(1, meta.partCount()));
    }
  }

  /** No bytes have no Content-Range. */
  private static ByteRange bytes(long first, long length) {
    return new ByteRange(first, length, length > 0);
  }

  private static void requireWithin(int number, int count) {
    if (number > count) {
      throw new S3Exception(
              S3ErrorCode.INVALID_PART, "the object has not as many parts as the number asked for")
          .withDetail("PartNumberRequested", Integer.toString(number))
          .withDetail("ActualPartCount", Integer.toString(count));
    }
  }

  int status() {
    return range.partial() ? 206 : 200;
  }
}
