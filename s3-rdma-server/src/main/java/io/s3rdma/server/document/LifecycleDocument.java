package io.s3rdma.server.document;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The document of a lifecycle configuration. A filter may have a prefix, tags and sizes side by
 * side without an And, as Ceph's clients send it; all of it must hold then.
 */
public final class LifecycleDocument {
  private static final String ROOT = "LifecycleConfiguration";
  private static final int RULES_MAX = 1000;
  private static final int ID_CHARS_MAX = 255;
  private static final int PREFIX_BYTES_MAX = 1024;
  private static final int NEWER_NONCURRENT_MAX = 100;
  // Ten thousand years; a sum with a date stays in its bounds.
  private static final int DAYS_MAX = 3_652_500;

  private LifecycleDocument() {}

  /** Checks a client's document and gives what to keep of it: with an id for every rule. */
  public static String toKeep(byte[] document) {
    parse(document);
    List<XmlElement> kept = new ArrayList<>();
    for (XmlElement rule : XmlElement.parse(document, ROOT).children()) {
      boolean named = rule.optional("ID").isPresent();
      kept.add(named ? rule : rule.withFirst("ID", UUID.randomUUID().toString()));
    }
    return XmlElement.toDocument(ROOT, kept);
  }

  static LifecycleRules parse(byte[] document) {
    List<XmlElement> elements = XmlElement.parse(document, ROOT).allow("Rule").all("Rule");
    if (elements.isEmpty() || elements.size() > RULES_MAX) {
      throw XmlElement.malformed("from 1 to " + RULES_MAX + " rules are needed");
    }
    Set<String> ids = new HashSet<>();
    List<LifecycleRule> rules = new ArrayList<>();
    for (XmlElement element : elements) {
      LifecycleRule rule = rule(element);
      if (!rule.id().isEmpty() && !ids.add(rule.id())) {
        throw invalid("the ID " + rule.id() + " is there twice");
      }
      rules.add(rule);
    }
    return new LifecycleRules(rules);
  }

  private static LifecycleRule rule(XmlElement rule) {
    refuseTransitions(rule);
    rule.allow(
        "ID",
        "Prefix",
        "Filter",
        "Status",
        "Expiration",
        "NoncurrentVersionExpiration",
        "AbortIncompleteMultipartUpload");
    String id = rule.optional("ID").map(XmlElement::text).orElse("");
    if (id.length() > ID_CHARS_MAX || (id.isEmpty() && rule.optional("ID").isPresent())) {
      throw invalid("a rule's ID must have from 1 to " + ID_CHARS_MAX + " characters");
    }
    LifecycleRule.Filter filter = filter(rule);
    Optional<XmlElement> expiration = rule.optional("Expiration");
    Optional<XmlElement> noncurrent = rule.optional("NoncurrentVersionExpiration");
    Optional<XmlElement> abort = rule.optional("AbortIncompleteMultipartUpload");
    if (expiration.isEmpty() && noncurrent.isEmpty() && abort.isEmpty()) {
      throw refused("a rule needs an action");
    }
    expiration.ifPresent(LifecycleDocument::requireOneTime);
    boolean removesMarkers = expiration.map(e -> e.flag("ExpiredObjectDeleteMarker")).orElse(false);
    if ((removesMarkers || abort.isPresent()) && !filter.isByKeyOnly()) {
      throw refused(
          "ExpiredObjectDeleteMarker and AbortIncompleteMultipartUpload need a filter without tags"
              + " and sizes");
    }
    return new LifecycleRule(
        id,
        isEnabled(rule.text("Status")),
        filter,
        expiration.flatMap(e -> e.optional("Days")).map(LifecycleDocument::days).orElse(0L),
        expiration.flatMap(e -> e.optional("Date")).map(LifecycleDocument::date),
        removesMarkers,
        noncurrent.map(n -> days(n.required("NoncurrentDays"))).orElse(0L),
        noncurrent.map(LifecycleDocument::newerNoncurrent).orElse(0L),
        abort.map(LifecycleDocument::uploadDays).orElse(0L));
  }

  private static void refuseTransitions(XmlElement rule) {
    for (String name : List.of("Transition", "NoncurrentVersionTransition")) {
      if (!rule.all(name).isEmpty()) {
        throw new S3Exception(
            S3ErrorCode.NOT_IMPLEMENTED, name + ": there is one storage class here");
      }
    }
  }

  private static boolean isEnabled(String status) {
    return switch (status) {
      case "Enabled" -> true;
      case "Disabled" -> false;
      default -> throw XmlElement.malformed("Status must be Enabled or Disabled");
    };
  }

  private static LifecycleRule.Filter filter(XmlElement rule) {
    Optional<XmlElement> prefix = rule.optional("Prefix");
    Optional<XmlElement> filter = rule.optional("Filter");
    if (prefix.isPresent() == filter.isPresent()) {
      throw XmlElement.malformed("a rule needs either a Filter or a Prefix");
    }
    List<XmlElement> sources = new ArrayList<>();
    List<XmlElement> tags = new ArrayList<>();
    filter.ifPresent(
        f -> {
          sources.add(
              f.allow("Prefix", "Tag", "And", "ObjectSizeGreaterThan", "ObjectSizeLessThan"));
          f.optional("Tag").ifPresent(tags::add);
          f.optional("And").ifPresent(sources::add);
        });
    List<String> prefixes = new ArrayList<>();
    prefix.ifPresent(p -> prefixes.add(prefix(p)));
    long above = -1;
    long below = Long.MAX_VALUE;
    for (XmlElement source : sources) {
      if (source.name().equals("And")) {
        source.allow("Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan");
        tags.addAll(source.all("Tag"));
      }
      source.optional("Prefix").ifPresent(p -> prefixes.add(prefix(p)));
      above = Math.max(above, size(source, "ObjectSizeGreaterThan", 0, -1));
      below = Math.min(below, size(source, "ObjectSizeLessThan", 1, Long.MAX_VALUE));
    }
    return new LifecycleRule.Filter(prefixes, filterTags(tags), above, below);
  }

  private static Map<String, String> filterTags(List<XmlElement> tags) {
    return Tags.ofElements(tags);
  }

  private static String prefix(XmlElement element) {
    String prefix = element.text();
    if (prefix.getBytes(StandardCharsets.UTF_8).length > PREFIX_BYTES_MAX) {
      throw invalid("a Prefix has more than " + PREFIX_BYTES_MAX + " bytes");
    }
    return prefix;
  }

  private static long size(XmlElement source, String name, long least, long missing) {
    Optional<Long> size = source.optional(name).map(XmlElement::number);
    if (size.orElse(least) < least) {
      throw invalid(name + " must be at least " + least);
    }
    return size.orElse(missing);
  }

  private static void requireOneTime(XmlElement expiration) {
    expiration.allow("Days", "Date", "ExpiredObjectDeleteMarker");
    if (expiration.children().size() != 1) {
      throw XmlElement.malformed(
          "Expiration needs one of Days, Date and ExpiredObjectDeleteMarker");
    }
  }

  private static long days(XmlElement element) {
    long days = element.number();
    if (days < 1 || days > DAYS_MAX) {
      throw invalid(element.name() + " must be from 1 to " + DAYS_MAX);
    }
    return days;
  }

  private static long newerNoncurrent(XmlElement noncurrent) {
    noncurrent.allow("NoncurrentDays", "NewerNoncurrentVersions");
    long newer = noncurrent.optional("NewerNoncurrentVersions").map(XmlElement::number).orElse(0L);
    if (newer < 0 || newer > NEWER_NONCURRENT_MAX) {
      throw invalid("NewerNoncurrentVersions must be from 1 to " + NEWER_NONCURRENT_MAX);
    }
    return newer;
  }

  private static long uploadDays(XmlElement abort) {
    return days(abort.allow("DaysAfterInitiation").required("DaysAfterInitiation"));
  }

  private static Instant date(XmlElement element) {
    String text = element.text().trim();
    Instant date;
    try {
      date =
          text.indexOf('T') < 0
              ? LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC)
              : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new S3Exception(S3ErrorCode.MALFORMED_XML, "Date must be of the form ISO 8601", e);
    }
    if (date.getNano() != 0 || Math.floorMod(date.getEpochSecond(), 86_400) != 0) {
      throw invalid("Date must be at midnight GMT");
    }
    return date;
  }

  private static S3Exception invalid(String message) {
    return new S3Exception(S3ErrorCode.INVALID_ARGUMENT, message);
  }

  private static S3Exception refused(String message) {
    return new S3Exception(S3ErrorCode.INVALID_REQUEST, message);
  }
}
