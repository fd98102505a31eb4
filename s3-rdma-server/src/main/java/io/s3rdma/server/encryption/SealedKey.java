package io.s3rdma.server.encryption;

/**
 * An {@link ObjectKey} as it is kept: encrypted with a customer's key or with one of the server's
 * master keys. What it holds tells nothing without that key.
 *
 * @param masterKeyId which master key; empty but for {@link Kind#SERVER}
 * @param sealed base64; empty for {@link Kind#NONE}
 */
public record SealedKey(Kind kind, String masterKeyId, String sealed) {
  /** What is not encrypted. */
  public static final SealedKey NONE = new SealedKey(Kind.NONE, "", "");

  /** Whose key it takes to open it. */
  public enum Kind {
    NONE,
    /** The customer's, who sends it with each request (SSE-C). */
    CUSTOMER,
    /** The server's (SSE-S3). */
    SERVER
  }

  public boolean isNone() {
    return kind == Kind.NONE;
  }

  @Override
  public String toString() {
    return "SealedKey[" + kind + (masterKeyId.isEmpty() ? "" : " " + masterKeyId) + "]";
  }
}
