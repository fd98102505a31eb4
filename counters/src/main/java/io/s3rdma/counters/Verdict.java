package io.s3rdma.counters;

import java.util.Optional;

/** What the server can say about how a transfer's bytes travelled (P-5.4). */
public enum Verdict {
  /** Packet sequence numbers and completions agree, and no port counter contradicts. */
  EXACT("exact"),
  /** No sequence numbers readable; the port saw at least the packets of the transfer. */
  AT_LEAST("at-least"),
  /** One of the proofs fails: the request fails and an alarm counter moves. */
  CONTRADICTED("contradicted"),
  /** No counter readable. Said, never upgraded. */
  UNAVAILABLE("unavailable");

  private final String wireText;

  Verdict(String wireText) {
    this.wireText = wireText;
  }

  /** The word in {@code x-s3rdma-evidence} (P-5.5). */
  public String wireText() {
    return wireText;
  }

  /** Empty for a word of a newer peer; read it as {@link #UNAVAILABLE}. */
  public static Optional<Verdict> ofWireText(String text) {
    for (Verdict verdict : values()) {
      if (verdict.wireText.equals(text)) {
        return Optional.of(verdict);
      }
    }
    return Optional.empty();
  }
}
