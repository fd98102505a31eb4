package io.s3rdma.rdma;

/**
 * Whether a feature can be used here, and if not, why and what to do about it.
 *
 * @param available true if it can be used
 * @param cause why not, or an empty string
 */
public record Availability(boolean available, String cause) {
  static Availability yes() {
    return new Availability(true, "");
  }

  static Availability no(String cause) {
    return new Availability(false, cause);
  }
}
