package io.s3rdma.counters;

/** What one step of a counter stands for. */
public enum Unit {
  PACKETS,
  BYTES,
  /** 4 octets: {@code port_xmit_data} and {@code port_rcv_data} of every vendor. */
  WORDS,
  /** Errors, retries, requests: something that happened once. */
  EVENTS
}
