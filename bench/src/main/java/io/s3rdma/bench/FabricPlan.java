package io.s3rdma.bench;

import java.util.List;

/**
 * What a comparison does; immutable.
 *
 * @param sizes object sizes in bytes
 * @param connections callers at once, each over a connection of its own; perftest's queue pairs
 * @param roundBytes what one measurement of a round moves at least, all connections together
 */
record FabricPlan(
    List<Long> sizes,
    int connections,
    long chunkBytes,
    int chunksInFlight,
    long roundBytes,
    boolean perftest) {
  private static final long PERFTEST_CHUNKS_MIN = 5;

  FabricPlan {
    sizes = List.copyOf(sizes);
  }

  /** Transfers of one caller in a measurement. */
  int transfers(long size) {
    return Math.toIntExact(Math.max(1, roundBytes / size / connections));
  }

  /** Work requests on each queue pair that give the same bytes, or as few as perftest takes. */
  long chunksEach() {
    return Math.max(PERFTEST_CHUNKS_MIN, roundBytes / chunkBytes / connections);
  }

  long largest() {
    return sizes.stream().mapToLong(Long::longValue).max().orElseThrow();
  }
}
