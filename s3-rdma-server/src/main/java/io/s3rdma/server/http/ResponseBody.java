package io.s3rdma.server.http;

import java.nio.channels.FileChannel;

/** What follows the head of an answer. */
public sealed interface ResponseBody {
  /** The Content-Length that the answer states. */
  long length();

  /** No bytes; the stated length is that of the object for a HEAD and 0 otherwise. */
  record None(long length) implements ResponseBody {}

  /** Small documents. The array is handed over. */
  record Bytes(byte[] content) implements ResponseBody {
    @Override
    public long length() {
      return content.length;
    }
  }

  /** Bytes of a file by sendfile; {@code owner} is closed once they are written or given up. */
  record FileRange(FileChannel channel, long offset, long length, AutoCloseable owner)
      implements ResponseBody {}
}
