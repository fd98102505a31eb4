package io.s3rdma.rdma;

/** Counts of live native objects of this process. */
public record LiveObjects(
    long devices,
    long protectionDomains,
    long memoryRegions,
    long memoryWindows,
    long completionQueues,
    long queuePairs) {}
