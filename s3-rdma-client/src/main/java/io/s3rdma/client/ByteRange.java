package io.s3rdma.client;

/**
 * A range of an object's bytes.
 *
 * @param offset first byte, from 0
 * @param lengthBytes at least 1
 */
public record ByteRange(long offset, long lengthBytes) {
  public ByteRange {
    if (offset < 0 || lengthBytes < 1 || offset + lengthBytes < 0) {
      throw new IllegalArgumentException(
          "range of " + lengthBytes + " bytes from " + offset + " is not a range of an object");
    }
  }

  String header() {
    return "bytes=" + offset + "-" + (offset + lengthBytes - 1);
  }
}
