package io.s3rdma.server.http;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what an answer owned, where no caller is left to tell of a failure. */
final class Owners {
  private static final Logger LOG = LoggerFactory.getLogger(Owners.class);

  private Owners() {}

  static void close(AutoCloseable owner) {
    try {
      owner.close();
    } catch (Exception e) {
      LOG.warn("close {} after an answer: {}", owner, e.toString());
    }
  }
}
