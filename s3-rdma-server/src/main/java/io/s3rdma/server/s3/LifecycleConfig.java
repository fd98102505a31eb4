package io.s3rdma.server.s3;

/**
 * How lifecycle rules are carried out.
 *
 * @param intervalSeconds between the end of a pass and the begin of the next; 0 is never
 * @param daySeconds how long a day of a rule is; 86400 but for tests
 * @param entriesPerSecondMax versions and uploads that a pass looks at
 */
public record LifecycleConfig(int intervalSeconds, long daySeconds, int entriesPerSecondMax) {}
