package io.s3rdma.server.store;

import java.time.Instant;

/** A bucket. {@code owner} is the id of the account whose key created it. */
public record BucketMeta(String name, Instant created, String owner) {}
