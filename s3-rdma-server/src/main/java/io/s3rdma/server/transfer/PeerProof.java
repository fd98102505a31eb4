package io.s3rdma.server.transfer;

import io.s3rdma.rdma.wire.RemoteDescriptor;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * Whether a connection's peer has shown that it owns the endpoint it named (P-2.10, P-2.11): this
 * server WRITEs random bytes into the region that came with the endpoint, and only who can read
 * that memory can tell them.
 *
 * <p>Threads: any, one lock. Invariants: every nonce is accepted at most once, and only the last
 * one written; the proof, once given, stays.
 */
final class PeerProof {
  static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** What an answer is worth. */
  enum Answer {
    RIGHT,
    WRONG,
    /** Nothing was asked. */
    UNASKED
  }

  private final Optional<RemoteDescriptor> region;
  private boolean given;
  private byte[] expected;

  /** Nothing to prove without a region. */
  PeerProof(Optional<RemoteDescriptor> region) {
    this.region = region;
    this.given = region.isEmpty();
  }

  synchronized boolean isGiven() {
    return given;
  }

  RemoteDescriptor region() {
    return region.orElseThrow();
  }

  static byte[] newNonce() {
    byte[] nonce = new byte[BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  /** The nonce is in the peer's memory; an earlier one is worth nothing any more. */
  synchronized void written(byte[] nonce) {
    expected = nonce.clone();
  }

  synchronized Answer accept(byte[] answer) {
    if (given || expected == null) {
      return Answer.UNASKED;
    }
    boolean right = MessageDigest.isEqual(expected, answer);
    expected = null;
    given = right;
    return right ? Answer.RIGHT : Answer.WRONG;
  }
}
