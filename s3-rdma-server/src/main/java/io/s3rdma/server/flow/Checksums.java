package io.s3rdma.server.flow;

import io.s3rdma.server.http.ChecksumAlgorithm;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.ChecksumType;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** Names and types of checksums in headers and documents. */
final class Checksums {
  private Checksums() {}

  /** What {@code x-amz-checksum-algorithm} asks for. */
  static Optional<ChecksumAlgorithm> asked(Headers headers) {
    return headers.first(HttpNames.AMZ_CHECKSUM_ALGORITHM).map(Checksums::known);
  }

  private static ChecksumAlgorithm known(String name) {
    return ChecksumAlgorithm.ofName(name)
        .orElseThrow(
            () ->
                new S3Exception(
                    S3ErrorCode.INVALID_REQUEST,
                    "the checksum algorithm is none of "
                        + Arrays.toString(ChecksumAlgorithm.values())));
  }

  /** What {@code x-amz-checksum-type} asks for. */
  static Optional<ChecksumType> askedType(Headers headers) {
    return headers.first(HttpNames.AMZ_CHECKSUM_TYPE).map(Checksums::knownType);
  }

  private static ChecksumType knownType(String name) {
    for (ChecksumType type : ChecksumType.values()) {
      if (type.name().equalsIgnoreCase(name)) {
        return type;
      }
    }
    throw new S3Exception(
        S3ErrorCode.INVALID_REQUEST, "x-amz-checksum-type is FULL_OBJECT or COMPOSITE");
  }

  static ChecksumType typeOr(ChecksumType type) {
    return type == null ? ChecksumType.FULL_OBJECT : type;
  }

  /** Header names become element names. */
  static void write(Xml xml, Map<String, String> checksums) {
    checksums.forEach(
        (header, value) ->
            ChecksumAlgorithm.ofHeader(header).ifPresent(a -> xml.text(a.element(), value)));
  }

  /** The same with the type behind, where there is a checksum. */
  static void write(Xml xml, Map<String, String> checksums, ChecksumType type) {
    write(xml, checksums);
    if (!checksums.isEmpty()) {
      xml.text("ChecksumType", typeOr(type).name());
    }
  }
}
