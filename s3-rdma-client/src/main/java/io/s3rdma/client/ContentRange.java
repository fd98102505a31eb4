package io.s3rdma.client;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** RFC 9110 Content-Range of a 206 answer. */
record ContentRange(long first, long last, long objectBytes) {
  private static final Pattern FORM = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

  static ContentRange parse(String text) {
    Matcher m = FORM.matcher(text);
    if (!m.matches()) {
      throw new TransferFailedException("Content-Range cannot be read");
    }
    return new ContentRange(
        Long.parseLong(m.group(1)), Long.parseLong(m.group(2)), Long.parseLong(m.group(3)));
  }

  long lengthBytes() {
    return last - first + 1;
  }
}
