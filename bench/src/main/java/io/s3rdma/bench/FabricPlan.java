package io.s3rdma.bench;

import java.nio.file.Path;
import java.util.List;

/**
 * What a comparison does; immutable.
 *
 * @param sizes object sizes in bytes
 * @param roundBytes what one measurement of a round moves, in as many transfers as it takes
 * @param data folder of the servers' data
 */
record FabricPlan(
    int rounds,
    List<Long> sizes,
    long chunkBytes,
    int chunksInFlight,
    long roundBytes,
    Path data,
    boolean perftest) {
  FabricPlan {
    sizes = List.copyOf(sizes);
  }

  int transfers(long size) {
    return (int) Math.max(1, roundBytes / size);
  }

  long largest() {
    return sizes.stream().mapToLong(Long::longValue).max().orElseThrow();
  }
}
