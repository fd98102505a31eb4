package io.s3rdma.client;

import io.s3rdma.rdma.TransferBuffer;
import java.io.IOException;

/** Gives the bytes of an object part by part. Called by several threads at once. */
@FunctionalInterface
public interface PartSource {
  /** Puts the object's bytes from {@code offset} on into the buffer's first bytes. */
  void fill(long offset, long lengthBytes, TransferBuffer buffer) throws IOException;
}
