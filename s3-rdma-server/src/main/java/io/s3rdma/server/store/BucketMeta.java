package io.s3rdma.server.store;

import java.time.Instant;

/** A bucket. {@code owner} is the access key that created it. */
public record BucketMeta(String name, Instant created, String owner) {}
