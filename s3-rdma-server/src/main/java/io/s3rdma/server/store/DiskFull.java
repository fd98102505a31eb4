package io.s3rdma.server.store;

import java.io.IOException;
import java.util.Locale;

/** Recognises a full disk, which Java tells only by its text. */
final class DiskFull {
  private DiskFull() {}

  static IOException translate(IOException cause) {
    String text = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    boolean full = text.contains("no space left") || text.contains("quota exceeded");
    return full
        ? new StoreException(
            StoreException.Reason.FULL, "the store is full: " + cause.getMessage(), cause)
        : cause;
  }
}
