package io.s3rdma.server.policy;

import java.util.List;

/** What conditions may ask of a request. */
@FunctionalInterface
public interface RequestValues {
  /** Empty if the request has no such value. */
  List<String> of(ConditionKey key);

  /**
   * Whether the value cannot be known yet: of a part of an upload that was judged when it began, or
   * of tags in a body that is still to be read. An Allow takes a condition on it as met, a Deny as
   * not met.
   */
  default boolean isUndecided(ConditionKey key) {
    return false;
  }
}
