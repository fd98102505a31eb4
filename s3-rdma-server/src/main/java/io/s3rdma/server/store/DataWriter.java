package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes in the making; one thread at a time. Closed without commit it leaves no trace. */
public interface DataWriter extends AutoCloseable {
  /** Appends all of {@code bytes}; refuses more than was announced. */
  void write(ByteBuffer bytes) throws IOException;

  /** Octets written so far. */
  long written();

  /** MD5 of what was written; ends the writing. Repeatable. Only with {@link EtagKind#MD5}. */
  byte[] md5();

  /** Idempotent. */
  @Override
  void close() throws IOException;
}
