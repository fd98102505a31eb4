package io.s3rdma.server.transfer;

/**
 * A rail as health and metrics show it.
 *
 * @param name device and port
 * @param state up, port_down, no_address or failed
 * @param cause why it is not up; empty if it is
 * @param outages how often it went out
 * @param hotHits chunks that were sent from where they are kept, since the device was opened
 * @param hotFills chunks that were read from the store to be kept
 * @param failures transfers that failed over it
 * @param memory what its staging memory is made of, and where it is
 */
public record RailStatus(
    String name,
    String state,
    String cause,
    String gid,
    long outages,
    int connections,
    int slots,
    int slotsInUse,
    int slotsLost,
    long hotHits,
    long hotFills,
    long strays,
    long bytesWritten,
    long bytesRead,
    long failures,
    String memory) {
  public boolean up() {
    return state.equals("up");
  }
}
