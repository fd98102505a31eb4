package io.s3rdma.client.transport;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * In which order a transfer tries rails. A pure function: those that did not fail lately first; of
 * them the nearest to the memory, among equals the one with the fewest connections in use, and then
 * each in turn. Rails that failed come last, the soonest to be forgiven first, so that a client
 * whose rails all failed still tries.
 */
final class RailOrder {
  /**
   * What is known of a rail.
   *
   * @param distance from the memory, comparable among rails
   * @param outNanos how much longer it is to be left out, 0 if it is not
   */
  record Facts(int distance, int inUse, long outNanos) {}

  private RailOrder() {}

  /**
   * Indexes of all rails, best first.
   *
   * @param turn moves on by one per call, so that equal rails take turns
   */
  static List<Integer> of(List<Facts> rails, int turn) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < rails.size(); i++) {
      order.add(Math.floorMod(turn + i, rails.size()));
    }
    // A stable sort, which keeps the turns.
    order.sort(
        Comparator.comparingLong((Integer i) -> rails.get(i).outNanos())
            .thenComparingInt(i -> rails.get(i).distance())
            .thenComparingInt(i -> rails.get(i).inUse()));
    return order;
  }
}
