package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** A version in the making; one thread at a time. Closed without commit it leaves no trace. */
public interface ObjectWriter extends AutoCloseable {
  /** Appends all of {@code bytes}; refuses more than was announced. */
  void write(ByteBuffer bytes) throws IOException;

  /** Octets written so far. */
  long written();

  /** MD5 of what was written; ends the writing. Repeatable. Only with {@link EtagKind#MD5}. */
  byte[] md5();

  /**
   * Makes the version durable and then visible, at once and whole; the one before goes when its
   * last reader has gone.
   *
   * @param checksums verified checksums to keep with it
   */
  ObjectMeta commit(Preconditions preconditions, Map<String, String> checksums) throws IOException;

  /** Idempotent. */
  @Override
  void close() throws IOException;
}
