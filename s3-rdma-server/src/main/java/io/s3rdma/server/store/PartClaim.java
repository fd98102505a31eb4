package io.s3rdma.server.store;

/** A part as the client lists it to complete an upload; the ETag is without quotes. */
public record PartClaim(int number, String etag) {}
