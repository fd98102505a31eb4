package io.s3rdma.client;

/** What to do where RDMA cannot carry a request (P-7.1). Nothing ever falls back silently. */
public enum RdmaPolicy {
  /** RDMA, or an exception that carries the reason. */
  REQUIRE,
  /** RDMA, else HTTP; the result says so and why. */
  PREFER,
  /** HTTP. */
  NEVER
}
