package io.s3rdma.server.store;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the scrubber has done since the start.
 *
 * @param rotten files that were not what was written, found since the start
 * @param recentlyRotten bucket and key of some of them
 * @param lastRound when all files had been read for the last time, also before the start
 */
public record ScrubState(
    long files, long bytes, long rotten, List<String> recentlyRotten, Optional<Instant> lastRound) {
  public ScrubState {
    recentlyRotten = List.copyOf(recentlyRotten);
  }
}
