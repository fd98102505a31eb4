package io.s3rdma.rdma.wire;

/**
 * The one place of header names and paths (P-1, P-2). {@code x-amz-*} is the ecosystem's
 * vocabulary; {@code x-s3rdma-*} is this project's, and a peer that knows none of it still works
 * (P-1.12).
 */
public final class RdmaHeaders {
  /** Request: one {@link RdmaToken}; must be signed (P-1.1). */
  public static final String TOKEN = "x-amz-rdma-token";

  /** Response: a {@link Reply} (P-1.2). */
  public static final String REPLY = "x-amz-rdma-reply";

  /** Response: decimal count of bytes moved by RDMA (P-1.3). */
  public static final String BYTES_TRANSFERRED = "x-amz-rdma-bytes-transferred";

  /** Connect, both ways: the sender's first {@link Psn} (P-2.1, P-2.2). */
  public static final String PSN = "x-amz-rdma-psn";

  /** Connect answer and disconnect request: a {@link ConnectionId} (P-2.2, P-2.3). */
  public static final String SESSION = "x-amz-rdma-session";

  /** Response: a {@link DeclineReason}, with every reply 501 (P-1.6). */
  public static final String DECLINE_REASON = "x-s3rdma-decline-reason";

  /** Request: the client's patience in milliseconds, decimal, from receipt (P-1.7). */
  public static final String DEADLINE_MILLIS = "x-s3rdma-deadline-ms";

  /** Response: an {@link EvidenceText}, with every reply 200 and 206 (P-1.8). */
  public static final String EVIDENCE = "x-s3rdma-evidence";

  /** Connect, both ways: path MTU in bytes, decimal (P-1.9). */
  public static final String MTU = "x-s3rdma-mtu";

  /** Connect, both ways: outstanding READs, decimal (P-1.9). */
  public static final String RD_ATOMIC = "x-s3rdma-rd-atomic";

  /**
   * Connect: {@code nonce} if the endpoint token's region waits for one; its answer: {@code
   * required} if there is no transfer before the proof; confirm: the nonce, 64 hex digits (P-2.10).
   */
  public static final String PROOF = "x-s3rdma-proof";

  /** The payload hash of a request with a token (P-1.4). */
  public static final String CONTENT_SHA256 = "x-amz-content-sha256";

  /** Value of {@link #CONTENT_SHA256} for bytes that travel by RDMA (P-1.4). */
  public static final String UNSIGNED_PAYLOAD = "UNSIGNED-PAYLOAD";

  /** Path of the connect request (P-2.1). */
  public static final String CONNECT_PATH = "/.s3rdma-rc/connect";

  /** Path of the disconnect request (P-2.3). */
  public static final String DISCONNECT_PATH = "/.s3rdma-rc/disconnect";

  /** Path of the request for a nonce (P-2.10). */
  public static final String CHALLENGE_PATH = "/.s3rdma-rc/challenge";

  /** Path of the request that tells it (P-2.11). */
  public static final String CONFIRM_PATH = "/.s3rdma-rc/confirm";

  private RdmaHeaders() {}
}
