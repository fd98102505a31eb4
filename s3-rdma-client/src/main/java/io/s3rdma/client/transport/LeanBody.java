package io.s3rdma.client.transport;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** The body of an answer: of a stated length, chunked, or to the connection's end. */
final class LeanBody extends InputStream {
  private static final int CHUNK_DIGITS_MAX = 15;
  private static final int TRAILER_OCTETS_MAX = 1 << 16;

  private final LeanConnection connection;
  private final boolean chunked;
  private final boolean toTheEnd;
  private long left;
  private boolean firstChunk = true;
  private boolean ended;

  LeanBody(LeanConnection connection, LeanHead head) throws IOException {
    this.connection = connection;
    long length = head.bodyLength();
    this.chunked = length != 0 && head.isChunked();
    this.toTheEnd = !chunked && length < 0;
    this.left = chunked ? 0 : length;
    this.ended = !chunked && length == 0;
  }

  /** Whether the next octet on the connection is another answer's. */
  boolean isEnded() {
    return ended;
  }

  boolean endsConnection() {
    return toTheEnd;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (chunked && left == 0 && !ended) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int wanted = toTheEnd ? length : (int) Math.min(length, left);
    int count = connection.read(target, offset, wanted);
    if (count < 0) {
      if (toTheEnd) {
        ended = true;
        return -1;
      }
      throw new EOFException("the server closed the connection with " + left + " octets to come");
    }
    if (!toTheEnd) {
      left -= count;
      ended = !chunked && left == 0;
    }
    return count;
  }

  private void nextChunk() throws IOException {
    if (!firstChunk && !line(0).isEmpty()) {
      throw new IOException("a chunk is longer than it says");
    }
    firstChunk = false;
    String size = line(TRAILER_OCTETS_MAX);
    int extension = size.indexOf(';');
    String digits = (extension < 0 ? size : size.substring(0, extension)).trim();
    if (digits.isEmpty()
        || digits.length() > CHUNK_DIGITS_MAX
        || !digits.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
      throw new IOException("a chunk has a bad size");
    }
    left = Long.parseLong(digits, 16);
    if (left == 0) {
      int octets = 0;
      for (String trailer = line(TRAILER_OCTETS_MAX);
          !trailer.isEmpty();
          trailer = line(TRAILER_OCTETS_MAX - octets)) {
        octets += trailer.length();
      }
      ended = true;
    }
  }

  private String line(int octetsMax) throws IOException {
    StringBuilder line = new StringBuilder();
    int octet = connection.readOctet();
    while (octet != '\r') {
      if (line.length() >= octetsMax) {
        throw new IOException("the answer's chunks are badly framed");
      }
      line.append((char) octet);
      octet = connection.readOctet();
    }
    if (connection.readOctet() != '\n') {
      throw new IOException("the answer's chunks are badly framed");
    }
    return line.toString();
  }
}
