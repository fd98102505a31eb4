package io.s3rdma.rdma.wire;

import java.util.Optional;

/** Why a server moved nothing by RDMA: the codes of {@link RdmaHeaders#DECLINE_REASON} (P-6). */
public enum DeclineReason {
  RDMA_DISABLED("RdmaDisabled"),
  NO_DEVICE("NoDevice"),
  PORT_DOWN("PortDown"),
  NO_DC_TRANSPORT("NoDcTransport"),
  UNSUPPORTED_TOKEN_KIND("UnsupportedTokenKind"),
  NO_STAGING_MEMORY("NoStagingMemory"),
  /** Below the configured size under which HTTP is faster. */
  OBJECT_TOO_SMALL("ObjectTooSmall"),
  DRAINING("Draining");

  private final String wireText;

  DeclineReason(String wireText) {
    this.wireText = wireText;
  }

  public String wireText() {
    return wireText;
  }

  /** Empty for a code of a newer peer: a decline stands whatever its reason (P-1.12). */
  public static Optional<DeclineReason> ofWireText(String text) {
    for (DeclineReason reason : values()) {
      if (reason.wireText.equals(text)) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }
}
