package io.s3rdma.server.policy;

import java.io.Serial;

/** A document that is no policy, or one whose meaning this server could not keep. */
public final class MalformedPolicyException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  MalformedPolicyException(String message) {
    super(message);
  }

  MalformedPolicyException(String message, Throwable cause) {
    super(message, cause);
  }
}
