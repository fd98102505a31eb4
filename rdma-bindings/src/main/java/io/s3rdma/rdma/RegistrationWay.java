package io.s3rdma.rdma;

/** How a buffer was made reachable for the NIC; every transfer result names it. */
public enum RegistrationWay {
  /** Host memory, registered as it is. */
  HOST("host"),
  /** Device memory through a dma-buf. */
  DMA_BUF("dma-buf"),
  /** Device memory through the driver's peer memory module. */
  PEER_MEMORY("peer-memory"),
  /** Pinned host slots, copied to or from the device chunk by chunk. */
  STAGING("staging");

  private final String text;

  RegistrationWay(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
