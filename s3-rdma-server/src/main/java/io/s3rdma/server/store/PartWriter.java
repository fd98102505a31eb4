package io.s3rdma.server.store;

import java.io.IOException;
import java.util.Map;

/** A part in the making. */
public interface PartWriter extends DataWriter {
  /** Makes the part durable; replaces the one of the same number. */
  PartMeta commit(Map<String, String> checksums) throws IOException;
}
