package io.s3rdma.server.http;

/** What follows the head of an answer. */
public sealed interface ResponseBody {
  /** The Content-Length that the answer states. */
  long length();

  /** No bytes; the stated length is that of the object for a HEAD and 0 otherwise. */
  record None(long length) implements ResponseBody {}

  /** Small documents. */
  final class Bytes implements ResponseBody {
    private final byte[] content;

    /** The array is handed over. */
    Bytes(byte[] content) {
      this.content = content;
    }

    /** Not a copy: for the pipeline only. */
    byte[] content() {
      return content;
    }

    @Override
    public long length() {
      return content.length;
    }
  }

  /** {@code length} bytes of an object from {@code offset} on; the answer owns the content. */
  record Content(ObjectContent content, long offset, long length) implements ResponseBody {}
}
