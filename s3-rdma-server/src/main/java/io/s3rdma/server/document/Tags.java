package io.s3rdma.server.document;

import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.UriCodec;
import io.s3rdma.server.http.Xml;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Tags of objects and buckets, from header and document and back. Sorted by key. */
public final class Tags {
  /** Of an object. */
  public static final int OBJECT_TAGS_MAX = 10;

  /** Of a bucket. */
  public static final int BUCKET_TAGS_MAX = 50;

  /** The request header of PutObject, CopyObject and CreateMultipartUpload. */
  public static final String HEADER = HttpNames.AMZ_TAGGING;

  /** The answer header of GET and HEAD; stands only where there are tags. */
  public static final String COUNT_HEADER = "x-amz-tagging-count";

  private static final int KEY_CHARS_MAX = 128;
  private static final int VALUE_CHARS_MAX = 256;
  private static final Pattern ALLOWED = Pattern.compile("[\\p{L}\\p{N}\\p{Z}_.:/=+\\-@]*");
  private static final String RESERVED_PREFIX = "aws:";

  private final SortedMap<String, String> values = new TreeMap<>();
  private final int max;

  private Tags(int max) {
    this.max = max;
  }

  /**
   * What {@link #HEADER} holds: a query string, for example {@code step=100&run=a%20b}; a tag
   * without an equals sign has an empty value.
   */
  public static Map<String, String> ofHeader(String header) {
    Tags tags = new Tags(OBJECT_TAGS_MAX);
    if (header.isEmpty()) {
      return Map.of();
    }
    for (String pair : header.split("&", -1)) {
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      tags.add(decode(key), decode(value));
    }
    return tags.finish();
  }

  /** A document {@code Tagging}. */
  public static Map<String, String> ofDocument(byte[] document, int tagsMax) {
    Tags tags = new Tags(tagsMax);
    XmlElement root = XmlElement.parse(document, "Tagging").allow("TagSet");
    for (XmlElement tag : root.required("TagSet").allow("Tag").all("Tag")) {
      tags.add(tag);
    }
    return tags.finish();
  }

  /** What {@link #HEADER} says for a document {@code Tagging}, as a form has it. */
  public static String toHeader(String document) {
    return ofDocument(document.getBytes(StandardCharsets.UTF_8), OBJECT_TAGS_MAX)
        .entrySet()
        .stream()
        .map(
            tag ->
                UriCodec.encode(tag.getKey(), false) + "=" + UriCodec.encode(tag.getValue(), false))
        .collect(Collectors.joining("&"));
  }

  /** The tags of a lifecycle filter. */
  static Map<String, String> ofElements(Iterable<XmlElement> elements) {
    Tags tags = new Tags(Integer.MAX_VALUE);
    elements.forEach(tags::add);
    return tags.finish();
  }

  /** A document {@code Tagging}. */
  public static String toDocument(Map<String, String> tags) {
    Xml xml = Xml.document("Tagging").start("TagSet");
    new TreeMap<>(tags).forEach((key, value) -> write(xml, key, value));
    return xml.finish();
  }

  static void write(Xml xml, String key, String value) {
    xml.start("Tag").text("Key", key).text("Value", value).end();
  }

  private void add(XmlElement tag) {
    tag.allow("Key", "Value");
    add(tag.text("Key"), tag.text("Value"));
  }

  private void add(String key, String value) {
    if (key.isEmpty() || key.codePointCount(0, key.length()) > KEY_CHARS_MAX) {
      throw invalid("a tag's key must have from 1 to " + KEY_CHARS_MAX + " characters");
    }
    if (value.codePointCount(0, value.length()) > VALUE_CHARS_MAX) {
      throw invalid("a tag's value must have at most " + VALUE_CHARS_MAX + " characters");
    }
    if (!ALLOWED.matcher(key).matches() || !ALLOWED.matcher(value).matches()) {
      throw invalid("a tag may hold letters, digits, spaces and _ . : / = + - @");
    }
    if (key.startsWith(RESERVED_PREFIX)) {
      throw invalid("a tag's key must not begin with " + RESERVED_PREFIX);
    }
    if (values.putIfAbsent(key, value) != null) {
      throw invalid("the tag " + key + " is there twice");
    }
    if (values.size() > max) {
      throw invalid("more than " + max + " tags");
    }
  }

  private Map<String, String> finish() {
    return Collections.unmodifiableSortedMap(values);
  }

  /** In a form-encoded value, unlike in a path, a plus sign is a space. */
  private static String decode(String text) {
    String utf8 = new String(text.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    try {
      return UriCodec.decode(utf8.replace('+', ' '));
    } catch (S3Exception e) {
      throw new S3Exception(
          S3ErrorCode.INVALID_ARGUMENT, HEADER + " must be URL-encoded: " + e.getMessage(), e);
    }
  }

  private static S3Exception invalid(String message) {
    return new S3Exception(S3ErrorCode.INVALID_TAG, message);
  }
}
