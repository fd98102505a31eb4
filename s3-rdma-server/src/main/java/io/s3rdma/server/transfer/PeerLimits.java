package io.s3rdma.server.transfer;

/**
 * What one access key may use at once, and how many faults one peer may cause (P-2.6, P-2.12);
 * immutable.
 *
 * @param connectsPerSecondMax connects of one key in any second
 * @param transfersMax transfers of one key at once
 * @param transfersWaitingMax of these, how many may wait for staging memory
 * @param bytesInFlightMax staging memory that one key may hold; 0: only its fair share bounds it
 * @param errorBudget points that a peer has; 0: faults are not counted
 * @param errorWindowSeconds in this time a used-up budget is whole again
 * @param coolDownSeconds how long a peer that used up its budget is served by HTTP
 */
public record PeerLimits(
    int connectsPerSecondMax,
    int transfersMax,
    int transfersWaitingMax,
    long bytesInFlightMax,
    int errorBudget,
    int errorWindowSeconds,
    int coolDownSeconds) {
  public PeerLimits {
    require(connectsPerSecondMax >= 1, "connects-per-second-per-key-max", connectsPerSecondMax);
    require(transfersMax >= 1, "transfers-per-key-max", transfersMax);
    require(transfersWaitingMax >= 0, "transfers-waiting-per-key-max", transfersWaitingMax);
    require(bytesInFlightMax >= 0, "bytes-in-flight-per-key-max", bytesInFlightMax);
    require(errorBudget >= 0, "peer-error-budget", errorBudget);
    require(errorWindowSeconds >= 1, "peer-error-window-seconds", errorWindowSeconds);
    require(coolDownSeconds >= 1, "peer-cool-down-seconds", coolDownSeconds);
  }

  private static void require(boolean holds, String key, long value) {
    if (!holds) {
      throw new IllegalArgumentException("rdma." + key + " is out of bounds: " + value);
    }
  }

  /** Slots of this size that one key may hold, of so many; at least one. */
  int slotsMax(int slots, int slotBytes) {
    return bytesInFlightMax == 0
        ? slots
        : (int) Math.clamp(bytesInFlightMax / slotBytes, 1, (long) slots);
  }
}
