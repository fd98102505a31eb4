package io.s3rdma.server.document;

import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.UriCodec;
import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.UploadMeta;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A bucket's lifecycle configuration: what is to go, and when. */
public record LifecycleRules(List<LifecycleRule> rules) {
  /** The name of the setting of a bucket. */
  public static final String SETTING = "lifecycle";

  /** The answer header of PUT, GET and HEAD. */
  public static final String HEADER = "x-amz-expiration";

  private static final KeptDocuments<LifecycleRules> KEPT =
      new KeptDocuments<>(LifecycleDocument::parse, new LifecycleRules(List.of()));

  public LifecycleRules {
    rules = List.copyOf(rules);
  }

  /** What the bucket has; empty where it has none. */
  public static Optional<LifecycleRules> of(BucketMeta bucket) {
    return bucket.setting(SETTING).map(KEPT::get);
  }

  /**
   * The value of {@link #HEADER} for a current version: by the rule that comes first. In real days,
   * whatever the server's day is.
   */
  public Optional<String> expirationOf(ObjectMeta object) {
    LifecycleRule first = null;
    Instant when = Instant.MAX;
    for (LifecycleRule rule : rules) {
      if (!object.isDeleteMarker() && rule.expiresCurrent(object)) {
        Instant expiry = rule.expiryOf(object.lastModified(), LifecycleDays.REAL);
        if (expiry.isBefore(when)) {
          first = rule;
          when = expiry;
        }
      }
    }
    return first == null ? Optional.empty() : Optional.of(header(when, first.id()));
  }

  private static String header(Instant when, String id) {
    String rule = UriCodec.encode(id, false);
    return "expiry-date=\"" + HttpDates.format(when) + "\", rule-id=\"" + rule + "\"";
  }

  /** Whether a current version with bytes has to go. */
  public boolean isCurrentDue(ObjectMeta object, Instant now, LifecycleDays days) {
    return rules.stream()
        .anyMatch(
            rule ->
                rule.expiresCurrent(object)
                    && !rule.expiryOf(object.lastModified(), days).isAfter(now));
  }

  /**
   * Whether a version or marker that is not the latest has to go.
   *
   * @param since when the next one took its place
   * @param newer how many noncurrent ones of its key are newer
   */
  public boolean isNoncurrentDue(
      ObjectMeta version, Instant since, int newer, Instant now, LifecycleDays days) {
    return rules.stream().anyMatch(rule -> rule.isNoncurrentDue(version, since, newer, now, days));
  }

  /** Whether a marker that is all that is left of its key has to go. */
  public boolean isMarkerDue(ObjectMeta marker, Instant now, LifecycleDays days) {
    return rules.stream().anyMatch(rule -> rule.isMarkerDue(marker, now, days));
  }

  public boolean isUploadDue(UploadMeta upload, Instant now, LifecycleDays days) {
    return rules.stream()
        .anyMatch(rule -> rule.isUploadDue(upload.object().key(), upload.initiated(), now, days));
  }

  /** With what all keys begin that any rule can touch. */
  public String commonPrefix() {
    String common = null;
    for (LifecycleRule rule : rules) {
      if (rule.isEnabled()) {
        // All of a filter's prefixes must hold, so the longest tells most.
        String prefix =
            rule.filter().prefixes().stream().reduce("", (a, b) -> a.length() < b.length() ? b : a);
        common = common == null ? prefix : common(common, prefix);
      }
    }
    return common == null ? "" : common;
  }

  /** Whether there is a rule that is switched on. */
  public boolean isActive() {
    return rules.stream().anyMatch(LifecycleRule::isEnabled);
  }

  private static String common(String a, String b) {
    int end = 0;
    while (end < a.length() && end < b.length() && a.charAt(end) == b.charAt(end)) {
      end++;
    }
    // Half of a surrogate pair is no prefix of any key.
    boolean half = end > 0 && Character.isHighSurrogate(a.charAt(end - 1));
    return a.substring(0, half ? end - 1 : end);
  }
}
