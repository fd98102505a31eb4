package io.s3rdma.server.document;

import io.s3rdma.server.store.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One rule of a lifecycle configuration. Days are at least 1; 0 is "not by this rule".
 *
 * @param expirationDate empty for "not by date"
 * @param removesMarkers whether a delete marker goes with which nothing is left
 * @param newerNoncurrent noncurrent versions that stay, the newest first
 */
record LifecycleRule(
    String id,
    boolean isEnabled,
    Filter filter,
    long expirationDays,
    Optional<Instant> expirationDate,
    boolean removesMarkers,
    long noncurrentDays,
    long newerNoncurrent,
    long uploadDays) {

  /**
   * Which objects; all of it must hold.
   *
   * @param sizeAbove octets, exclusive; -1 for any
   * @param sizeBelow octets, exclusive
   */
  record Filter(List<String> prefixes, Map<String, String> tags, long sizeAbove, long sizeBelow) {
    boolean matches(ObjectMeta object) {
      return matchesKey(object.key())
          && object.size() > sizeAbove
          && object.size() < sizeBelow
          && object.tags().entrySet().containsAll(tags.entrySet());
    }

    boolean matchesKey(String key) {
      return prefixes.stream().allMatch(key::startsWith);
    }

    /** What has no bytes and no tags, as a marker and an upload, is told apart by key only. */
    boolean isByKeyOnly() {
      return tags.isEmpty() && sizeAbove < 0 && sizeBelow == Long.MAX_VALUE;
    }
  }

  boolean expiresCurrent(ObjectMeta object) {
    return isEnabled
        && (expirationDays > 0 || expirationDate.isPresent())
        && filter.matches(object);
  }

  /** When this rule expires an object of this age. */
  Instant expiryOf(Instant since, LifecycleDays days) {
    return expirationDate.orElseGet(() -> days.after(since, expirationDays));
  }

  boolean isNoncurrentDue(
      ObjectMeta version, Instant since, int newer, Instant now, LifecycleDays days) {
    return isEnabled
        && noncurrentDays > 0
        && newer >= newerNoncurrent
        && !days.after(since, noncurrentDays).isAfter(now)
        && (version.isDeleteMarker()
            ? filter.isByKeyOnly() && filter.matchesKey(version.key())
            : filter.matches(version));
  }

  boolean isMarkerDue(ObjectMeta marker, Instant now, LifecycleDays days) {
    if (!isEnabled || !filter.isByKeyOnly() || !filter.matchesKey(marker.key())) {
      return false;
    }
    boolean ages = expirationDays > 0 || expirationDate.isPresent();
    return removesMarkers || (ages && !expiryOf(marker.lastModified(), days).isAfter(now));
  }

  boolean isUploadDue(String key, Instant initiated, Instant now, LifecycleDays days) {
    return isEnabled
        && uploadDays > 0
        && filter.matchesKey(key)
        && !days.after(initiated, uploadDays).isAfter(now);
  }
}
