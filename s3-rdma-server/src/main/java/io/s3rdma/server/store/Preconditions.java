package io.s3rdma.server.store;

import java.util.List;
import java.util.Optional;

/**
 * Conditions on what a commit replaces, decided under the key's lock. ETags are without quotes, "*"
 * stands for any; an empty list is no condition.
 */
public record Preconditions(List<String> ifMatch, List<String> ifNoneMatch) {
  public static final Preconditions NONE = new Preconditions(List.of(), List.of());

  public Preconditions {
    ifMatch = List.copyOf(ifMatch);
    ifNoneMatch = List.copyOf(ifNoneMatch);
  }

  public boolean isEmpty() {
    return ifMatch.isEmpty() && ifNoneMatch.isEmpty();
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
