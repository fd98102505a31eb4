package io.s3rdma.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

/**
 * Reads a body of multipart/form-data part by part, as its reader asks for it, with one window of
 * memory. Everything but the content that {@link #read} hands on counts against a bound. Not
 * thread-safe.
 *
 * <p>Not Netty's HttpPostMultipartRequestDecoder: decision 20 says why.
 */
final class MultipartReader {
  private static final int WINDOW_BYTES = 64 * 1024;
  // RFC 2046 5.1.1.
  private static final Pattern BOUNDARY =
      Pattern.compile("[0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-]");
  private static final byte[] LINE_END = {'\r', '\n'};
  private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};

  private final RequestBody raw;
  private final byte[] delimiter;
  private final byte[] window = new byte[WINDOW_BYTES];
  private final int bytesMax;
  private int from;
  private int to;
  private int contentEnd;
  private boolean atDelimiter;
  private boolean partEnded;
  private boolean ended;
  private long arrived;
  private int spent;

  /** {@code bytesMax} bounds all heads and {@link #text} together, and is below the window. */
  private MultipartReader(RequestBody raw, String boundary, int bytesMax) {
    this.raw = raw;
    this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
    this.bytesMax = bytesMax;
    // So that the first delimiter is like the others.
    System.arraycopy(LINE_END, 0, window, 0, LINE_END.length);
    this.to = LINE_END.length;
  }

  /** {@code contentType} says the boundary. */
  static MultipartReader of(String contentType, RequestBody raw, int bytesMax) {
    String boundary = HeaderParameters.of(contentType).getOrDefault("boundary", "");
    if (!BOUNDARY.matcher(boundary).matches()) {
      throw HeaderParameters.malformed(
          "Content-Type has no boundary, or one that RFC 2046 does not allow");
    }
    return new MultipartReader(raw, boundary, bytesMax);
  }

  static boolean isForm(String contentType) {
    return HeaderParameters.main(contentType).equals("multipart/form-data");
  }

  /** The next part; null behind the last one. What of the part before was not read is skipped. */
  PartHead next() throws IOException {
    while (advance()) {
      spend(contentEnd - from);
      from = contentEnd;
    }
    if (ended) {
      return null;
    }
    PartHead head = PartHead.parse(head());
    contentEnd = from;
    atDelimiter = false;
    partEnded = false;
    return head;
  }

  /** The whole content of a part that is a field. */
  String text() throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    while (advance()) {
      spend(contentEnd - from);
      content.write(window, from, contentEnd - from);
      from = contentEnd;
    }
    return utf8(content.toByteArray());
  }

  /** Content of the part: at least one byte, or -1 at its end, which is behind its delimiter. */
  int read(ByteBuffer dst) throws IOException {
    if (!advance()) {
      return -1;
    }
    int count = Math.min(contentEnd - from, dst.remaining());
    dst.put(window, from, count);
    from += count;
    return count;
  }

  /** Octets of the body that have arrived, of which the part's content is not behind. */
  long consumed() {
    return arrived - (to - from);
  }

  /** What the delimiter and the end of a form take at least. */
  int endBytes() {
    return delimiter.length + LINE_END.length;
  }

  /** Makes the content that is there begin at {@code from}; false behind the delimiter. */
  private boolean advance() throws IOException {
    if (partEnded) {
      return false;
    }
    while (from == contentEnd && !atDelimiter) {
      find();
    }
    if (from < contentEnd) {
      return true;
    }
    from += delimiter.length;
    endDelimiter();
    partEnded = true;
    return false;
  }

  /** Finds out how much of the window is content, which needs more than a delimiter's length. */
  private void find() throws IOException {
    int last = to - delimiter.length;
    for (int i = from; i <= last; i++) {
      if (window[i] == '\r' && startsAt(delimiter, i)) {
        contentEnd = i;
        atDelimiter = true;
        return;
      }
    }
    if (last >= from) {
      contentEnd = last + 1;
    } else {
      fill();
    }
  }

  private boolean startsAt(byte[] wanted, int at) {
    return Arrays.equals(window, at, at + wanted.length, wanted, 0, wanted.length);
  }

  /** What stands behind the boundary says whether another part follows. */
  private void endDelimiter() throws IOException {
    while (to - from < LINE_END.length) {
      fill();
    }
    ended = window[from] == '-' && window[from + 1] == '-';
    if (!ended && !startsAt(LINE_END, from)) {
      throw HeaderParameters.malformed(
          "the boundary is followed by neither a line's end nor two dashes");
    }
    from += ended ? LINE_END.length : 0; // the line's end may be that of an empty head
  }

  private String head() throws IOException {
    int searched = from;
    while (true) {
      for (; searched <= to - HEAD_END.length; searched++) {
        if (window[searched] == '\r' && startsAt(HEAD_END, searched)) {
          byte[] head = Arrays.copyOfRange(window, from, searched);
          from = searched + HEAD_END.length;
          spend(head.length);
          return utf8(head);
        }
      }
      requireBound(to - from);
      searched -= from; // The window moves.
      fill();
      searched += from;
    }
  }

  private void fill() throws IOException {
    System.arraycopy(window, from, window, 0, to - from);
    to -= from;
    contentEnd -= from;
    from = 0;
    int count = raw.read(ByteBuffer.wrap(window, to, window.length - to));
    if (count < 0) {
      throw HeaderParameters.malformed("the form ends without its last boundary");
    }
    to += count;
    arrived += count;
  }

  private void spend(int bytes) {
    requireBound(bytes);
    spent += bytes;
  }

  private void requireBound(int bytes) {
    if (bytes > bytesMax - spent) {
      throw new S3Exception(S3ErrorCode.MAX_POST_PRE_DATA_LENGTH_EXCEEDED)
          .withDetail("MaxLengthAllowed", Integer.toString(bytesMax));
    }
  }

  private static String utf8(byte[] octets) {
    try {
      return StrictUtf8.decode(octets);
    } catch (CharacterCodingException e) {
      throw new S3Exception(
          S3ErrorCode.MALFORMED_POST_REQUEST, "a field or its name is not UTF-8", e);
    }
  }
}
