package io.s3rdma.server.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The checksum that a request gives for its object, in a header or announced for a trailer. Fed
 * with the object's bytes from wherever they come (P-1.5, P-4.3), then verified once. Not
 * thread-safe.
 */
public final class ChecksumVerifier {
  private static final Set<String> NOT_A_SUM =
      Set.of(
          HttpNames.AMZ_CHECKSUM_MODE,
          HttpNames.AMZ_CHECKSUM_TYPE,
          HttpNames.AMZ_CHECKSUM_ALGORITHM);

  private final ChecksumAlgorithm algorithm;
  private final Given given;
  private final String expected;
  private final Hasher hasher;
  private final byte[] md5;

  /** Where the checksum to compare with comes from. */
  private enum Given {
    HEADER,
    TRAILER,
    NOWHERE
  }

  private ChecksumVerifier(
      ChecksumAlgorithm algorithm, Given given, String expected, Headers headers) {
    this.algorithm = algorithm;
    this.given = given;
    this.expected = expected;
    this.hasher = algorithm == null ? null : algorithm.newHasher();
    this.md5 = headers.first(HttpNames.CONTENT_MD5).map(ChecksumVerifier::md5Of).orElse(null);
  }

  /** Refuses unknown algorithms, malformed values and more than one checksum. */
  public static ChecksumVerifier forRequest(Headers headers) {
    return forRequest(headers, Optional.empty());
  }

  /**
   * For a part of an upload for which an algorithm was declared: refuses another one, and computes
   * the declared one where the request gives none.
   */
  public static ChecksumVerifier forRequest(Headers headers, Optional<ChecksumAlgorithm> declared) {
    Optional<ChecksumAlgorithm> given = givenBy(headers);
    if (given.isEmpty()) {
      return new ChecksumVerifier(declared.orElse(null), Given.NOWHERE, null, headers);
    }
    ChecksumAlgorithm algorithm = given.get();
    if (declared.isPresent() && declared.get() != algorithm) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST,
          "the upload was created for " + declared.get() + " and the part brings " + algorithm);
    }
    Optional<String> expected = headers.first(algorithm.header());
    expected.ifPresent(value -> requireForm(algorithm, value));
    return new ChecksumVerifier(
        algorithm,
        expected.isPresent() ? Given.HEADER : Given.TRAILER,
        expected.orElse(null),
        headers);
  }

  /** The algorithm of the one checksum that a request's header or trailer carries. */
  private static Optional<ChecksumAlgorithm> givenBy(Headers headers) {
    List<String> names = headerNames(headers);
    for (String value : headers.all(HttpNames.AMZ_TRAILER)) {
      Arrays.stream(value.split(",", -1))
          .map(name -> name.trim().toLowerCase(Locale.ROOT))
          .filter(name -> name.startsWith(HttpNames.AMZ_CHECKSUM_PREFIX))
          .forEach(names::add);
    }
    Optional<String> announced = headers.first(HttpNames.AMZ_SDK_CHECKSUM_ALGORITHM);
    if (names.isEmpty()) {
      if (announced.isPresent()) {
        throw new S3Exception(
            S3ErrorCode.INVALID_REQUEST,
            "x-amz-sdk-checksum-algorithm is there, but no x-amz-checksum-* or x-amz-trailer");
      }
      return Optional.empty();
    }
    ChecksumAlgorithm algorithm = single(names);
    if (announced.isPresent() && !announced.get().equalsIgnoreCase(algorithm.name())) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST,
          "x-amz-sdk-checksum-algorithm is not the " + algorithm + " that comes with it");
    }
    return Optional.of(algorithm);
  }

  /** Checksum headers that carry a sum, whatever their algorithm. */
  private static List<String> headerNames(Headers headers) {
    List<String> names = new ArrayList<>();
    for (String name : headers.names()) {
      if (name.startsWith(HttpNames.AMZ_CHECKSUM_PREFIX) && !NOT_A_SUM.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private static ChecksumAlgorithm single(List<String> names) {
    if (names.size() > 1) {
      throw new S3Exception(S3ErrorCode.INVALID_REQUEST, "give one checksum, not " + names);
    }
    String name = names.get(0);
    return ChecksumAlgorithm.ofHeader(name)
        .orElseThrow(
            () ->
                new S3Exception(
                    S3ErrorCode.INVALID_REQUEST, name + " is not a checksum known here"));
  }

  /** Content-MD5 alone, for a body that the other checksums of the request are not over. */
  public static void requireMd5(Headers headers, byte[] body) {
    Optional<byte[]> wanted = headers.first(HttpNames.CONTENT_MD5).map(ChecksumVerifier::md5Of);
    if (wanted.isPresent() && !Arrays.equals(wanted.get(), Crypto.digest("MD5").digest(body))) {
      throw wrongMd5();
    }
  }

  /** The algorithm of the checksum header, for a request whose body is not what it is over. */
  public static Optional<ChecksumAlgorithm> inHeader(Headers headers) {
    List<String> names = headerNames(headers);
    return names.isEmpty() ? Optional.empty() : Optional.of(single(names));
  }

  /** Adds bytes without moving the buffer's position. */
  public void update(ByteBuffer bytes) {
    if (hasher != null) {
      hasher.update(bytes.duplicate());
    }
  }

  /**
   * Compares with the header or, where it was announced, the trailer.
   *
   * @param contentMd5 the MD5 of the same bytes, for Content-MD5
   * @return what to store with the object: header name to base64 value; empty if none was given
   */
  public Map<String, String> verify(Headers trailers, byte[] contentMd5) {
    if (md5 != null && !Arrays.equals(md5, contentMd5)) {
      throw wrongMd5();
    }
    if (algorithm == null) {
      return Map.of();
    }
    String actual = Base64.getEncoder().encodeToString(hasher.finish());
    if (given != Given.NOWHERE) {
      String wanted =
          given == Given.HEADER ? expected : trailers.first(algorithm.header()).orElse("");
      requireForm(algorithm, wanted);
      if (!actual.equals(wanted)) {
        throw new S3Exception(
            S3ErrorCode.BAD_DIGEST,
            algorithm + " is " + actual + " over what was received, and " + wanted + " was sent");
      }
    }
    return Map.of(algorithm.header(), actual);
  }

  private static void requireForm(ChecksumAlgorithm algorithm, String value) {
    if (decoded(value).length != algorithm.bytes()) {
      throw new S3Exception(
          S3ErrorCode.BAD_DIGEST, "the value for " + algorithm.header() + " is invalid");
    }
  }

  private static S3Exception wrongMd5() {
    return new S3Exception(S3ErrorCode.BAD_DIGEST, "Content-MD5 is not that of the body");
  }

  private static byte[] md5Of(String value) {
    byte[] octets = decoded(value);
    if (octets.length != 16) {
      throw new S3Exception(S3ErrorCode.INVALID_DIGEST);
    }
    return octets;
  }

  private static byte[] decoded(String value) {
    try {
      return Base64.getDecoder().decode(value);
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }
}
