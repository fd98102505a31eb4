package io.s3rdma.server.http;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which bytes of an object a request selects.
 *
 * @param partial whether the answer is 206
 */
public record ByteRange(long first, long length, boolean partial) {
  private static final Pattern SINGLE = Pattern.compile("bytes=([0-9]*)-([0-9]*)");

  /**
   * Applies a Range header. A header that is malformed or asks for several ranges does not count,
   * as in S3; one that lies behind the object is refused.
   */
  public static ByteRange select(Optional<String> header, long size) {
    Matcher range = SINGLE.matcher(header.map(text -> text.replace(" ", "")).orElse(""));
    if (!range.matches()) {
      return whole(size);
    }
    String from = range.group(1);
    String to = range.group(2);
    if (from.isEmpty() && to.isEmpty()) {
      return whole(size);
    }
    if (from.isEmpty()) {
      return suffix(number(to), size, header.orElse(""));
    }
    long first = number(from);
    long last = to.isEmpty() ? Long.MAX_VALUE : number(to);
    if (last < first) {
      return whole(size);
    }
    if (first >= size) {
      throw unsatisfiable(size, header.orElse(""));
    }
    return new ByteRange(first, Math.min(last, size - 1) - first + 1, true);
  }

  public static ByteRange whole(long size) {
    return new ByteRange(0, size, false);
  }

  /** For a 206. */
  public String contentRange(long size) {
    return "bytes " + first + "-" + (first + length - 1) + "/" + size;
  }

  private static ByteRange suffix(long wanted, long size, String header) {
    if (wanted == 0) {
      throw unsatisfiable(size, header);
    }
    if (size == 0) {
      return whole(0);
    }
    long length = Math.min(wanted, size);
    return new ByteRange(size - length, length, true);
  }

  private static long number(String digits) {
    return digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
  }

  private static S3Exception unsatisfiable(long size, String header) {
    // The CRT clients read ActualObjectSize to ask again without a range.
    return new S3Exception(S3ErrorCode.INVALID_RANGE)
        .withHeader(HttpNames.CONTENT_RANGE, "bytes */" + size)
        .withDetail("ActualObjectSize", Long.toString(size))
        .withDetail("RangeRequested", header);
  }
}
