package io.s3rdma.server.flow;

import io.s3rdma.server.http.ChecksumAlgorithm;
import io.s3rdma.server.http.ChecksumVerifier;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.PartSums;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.store.ChecksumType;
import io.s3rdma.server.store.PartMeta;
import io.s3rdma.server.store.UploadMeta;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The checksum that an upload's object will have.
 *
 * @param type without meaning where there is no algorithm
 */
record UploadChecksum(Optional<ChecksumAlgorithm> algorithm, ChecksumType type) {
  /** As CreateMultipartUpload declares it. */
  static UploadChecksum declared(Headers headers) {
    Optional<ChecksumAlgorithm> algorithm = Checksums.asked(headers);
    Optional<ChecksumType> type = Checksums.askedType(headers);
    if (algorithm.isEmpty() && type.isPresent()) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST, "x-amz-checksum-type needs x-amz-checksum-algorithm");
    }
    return of(algorithm, type);
  }

  static UploadChecksum of(UploadMeta upload) {
    return of(
        ChecksumAlgorithm.ofName(upload.checksumAlgorithm()),
        Optional.ofNullable(upload.checksumType()));
  }

  /**
   * As CompleteMultipartUpload has it: what was declared, or where nothing was, what its own header
   * says.
   */
  UploadChecksum orAsCompleted(Headers headers) {
    Optional<ChecksumType> asked = Checksums.askedType(headers);
    Optional<ChecksumAlgorithm> given = ChecksumVerifier.inHeader(headers);
    if (algorithm.isEmpty()) {
      return of(given, asked);
    }
    if (given.isPresent() && !given.equals(algorithm)) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST,
          "the upload was created for " + algorithm.get() + ", not " + given.get());
    }
    if (asked.isPresent() && asked.get() != type) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST, "the upload was created for checksums of type " + type);
    }
    return this;
  }

  private static UploadChecksum of(
      Optional<ChecksumAlgorithm> algorithm, Optional<ChecksumType> asked) {
    if (algorithm.isEmpty()) {
      return new UploadChecksum(algorithm, null);
    }
    boolean whole = algorithm.get() == ChecksumAlgorithm.CRC64NVME;
    ChecksumType type = asked.orElse(whole ? ChecksumType.FULL_OBJECT : ChecksumType.COMPOSITE);
    boolean possible = type == ChecksumType.COMPOSITE ? !whole : algorithm.get().isCrc();
    if (!possible) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST,
          "the checksum type " + type + " does not go with " + algorithm.get());
    }
    return new UploadChecksum(algorithm, type);
  }

  /**
   * From the parts' checksums, compared with the request's header. Reads no data.
   *
   * @return header name to value; empty where there is no algorithm
   */
  Map<String, String> verified(List<PartMeta> parts, Headers headers) {
    if (algorithm.isEmpty()) {
      return Map.of();
    }
    String header = algorithm.get().header();
    PartSums sums = new PartSums(algorithm.get());
    for (PartMeta part : parts) {
      String sum = part.checksums().get(header);
      if (sum == null) {
        throw new S3Exception(
            S3ErrorCode.INVALID_REQUEST,
            "part " + part.number() + " was uploaded without a " + algorithm.get());
      }
      sums.add(sum, part.size());
    }
    String actual = type == ChecksumType.COMPOSITE ? sums.composite() : sums.fullObject();
    Optional<String> wanted = headers.first(header);
    if (wanted.isPresent() && !wanted.get().equals(actual)) {
      throw new S3Exception(
          S3ErrorCode.BAD_DIGEST,
          algorithm.get() + " of the parts is " + actual + ", and " + wanted.get() + " was sent");
    }
    return Map.of(header, actual);
  }
}
