package io.s3rdma.server.http;

import java.nio.channels.FileChannel;

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

  /** Bytes of a file by sendfile; {@code owner} is closed once they are written or given up. */
  record FileRange(FileChannel channel, long offset, long length, AutoCloseable owner)
      implements ResponseBody {}
}
