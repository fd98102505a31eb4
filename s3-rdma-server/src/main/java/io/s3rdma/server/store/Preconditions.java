package io.s3rdma.server.store;

import java.util.List;
import java.util.Optional;

/**
 * Conditions on what a commit replaces, decided under the key's lock. ETags are without quotes, "*"
 * stands for any; an empty list is no condition.
 *
 * @param sequence for a delete: that of the version, or marker, it means; 0 for any
 */
public record Preconditions(List<String> ifMatch, List<String> ifNoneMatch, long sequence) {
  public static final Preconditions NONE = new Preconditions(List.of(), List.of());

  public Preconditions {
    ifMatch = List.copyOf(ifMatch);
    ifNoneMatch = List.copyOf(ifNoneMatch);
  }

  public Preconditions(List<String> ifMatch, List<String> ifNoneMatch) {
    this(ifMatch, ifNoneMatch, 0);
  }

  /** That nothing took the place of what somebody saw; markers count. */
  public static Preconditions still(ObjectMeta seen) {
    return new Preconditions(List.of(), List.of(), seen.sequence());
  }

  void checkStill(Optional<ObjectMeta> target) throws StoreException {
    if (sequence != 0 && target.map(meta -> meta.sequence() != sequence).orElse(true)) {
      throw new StoreException(
          StoreException.Reason.PRECONDITION_FAILED, "it is not what it was any more");
    }
  }

  public boolean isEmpty() {
    return ifMatch.isEmpty() && ifNoneMatch.isEmpty() && sequence == 0;
  }

  /** Throws where the condition does not hold for what is stored now. */
  public void check(Optional<ObjectMeta> current) throws StoreException {
    if (!ifMatch.isEmpty()) {
      if (current.isEmpty()) {
        throw new StoreException(
            StoreException.Reason.NO_SUCH_KEY, "If-Match on a key that does not exist");
      }
      if (!matches(ifMatch, current.get())) {
        throw failed("If-Match", current.get());
      }
    }
    if (current.isPresent() && matches(ifNoneMatch, current.get())) {
      throw failed("If-None-Match", current.get());
    }
  }

  private static boolean matches(List<String> etags, ObjectMeta meta) {
    return etags.contains("*") || etags.contains(meta.etag());
  }

  private static StoreException failed(String condition, ObjectMeta current) {
    return new StoreException(
        StoreException.Reason.PRECONDITION_FAILED,
        condition + " does not hold: the key holds etag " + current.etag());
  }
}
