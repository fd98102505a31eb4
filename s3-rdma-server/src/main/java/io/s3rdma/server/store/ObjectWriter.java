package io.s3rdma.server.store;

import java.io.IOException;
import java.util.Map;

/** A version in the making. */
public interface ObjectWriter extends DataWriter {
  /**
   * Makes the version durable and then visible, at once and whole; the one before goes, unless
   * versions are kept, when its last reader has gone.
   *
   * @param checksums verified checksums over all bytes to keep with it
   */
  ObjectMeta commit(Preconditions preconditions, Map<String, String> checksums) throws IOException;
}
