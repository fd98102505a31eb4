package io.s3rdma.server.flow;

import io.s3rdma.server.document.Tags;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.store.ChecksumType;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.PartMeta;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The headers of an object: what a PUT gives to keep, and what a GET gives back. */
final class ObjectHeaders {
  private static final String DEFAULT_TYPE = "binary/octet-stream";
  private static final int METADATA_BYTES_MAX = 2048;
  private static final List<String> KEPT =
      List.of(
          HttpNames.CACHE_CONTROL,
          HttpNames.CONTENT_DISPOSITION,
          HttpNames.CONTENT_LANGUAGE,
          HttpNames.CONTENT_TYPE,
          HttpNames.EXPIRES);
  private static final List<String> OVERRIDABLE =
      List.of(
          HttpNames.CACHE_CONTROL,
          HttpNames.CONTENT_DISPOSITION,
          HttpNames.CONTENT_ENCODING,
          HttpNames.CONTENT_LANGUAGE,
          HttpNames.CONTENT_TYPE,
          HttpNames.EXPIRES);

  private ObjectHeaders() {}

  /** What to keep of a PUT's headers. */
  static Map<String, String> toKeep(Headers headers) {
    Map<String, String> kept = new TreeMap<>();
    for (String name : KEPT) {
      headers.first(name).filter(value -> !value.isEmpty()).ifPresent(v -> kept.put(name, v));
    }
    kept.putIfAbsent(HttpNames.CONTENT_TYPE, DEFAULT_TYPE);
    String encoding = contentEncoding(headers);
    if (!encoding.isEmpty()) {
      kept.put(HttpNames.CONTENT_ENCODING, encoding);
    }
    int size = 0;
    for (String name : headers.names()) {
      if (name.startsWith(HttpNames.AMZ_META_PREFIX)) {
        String value = String.join(",", headers.all(name));
        kept.put(name, value);
        size += name.length() - HttpNames.AMZ_META_PREFIX.length() + value.length();
      }
    }
    if (size > METADATA_BYTES_MAX) {
      throw new S3Exception(S3ErrorCode.METADATA_TOO_LARGE);
    }
    return kept;
  }

  /** Everything a GET states but its Content-Length. */
  static Headers toAnswer(S3Request request, ObjectMeta meta, Selection selection, Headers stated) {
    Map<String, String> values = new TreeMap<>(meta.attributes());
    values.putAll(overrides(request));
    Headers.Builder headers = identity(meta, stated);
    headers.add(HttpNames.ACCEPT_RANGES, "bytes");
    values.forEach(headers::add);
    if (!meta.tags().isEmpty()) {
      headers.add(Tags.COUNT_HEADER, Integer.toString(meta.tags().size()));
    }
    if (selection.partsCount() > 0) {
      headers.add(HttpNames.AMZ_MP_PARTS_COUNT, Integer.toString(selection.partsCount()));
    }
    if (selection.range().partial()) {
      headers.add(HttpNames.CONTENT_RANGE, selection.range().contentRange(meta.size()));
    }
    if ("ENABLED".equalsIgnoreCase(request.header(HttpNames.AMZ_CHECKSUM_MODE).orElse(""))) {
      addChecksums(headers, selection.checksums(), meta.checksumType());
    }
    return headers.build();
  }

  /** What the query wants instead; only who signs may say how a browser is to take the bytes. */
  private static Map<String, String> overrides(S3Request request) {
    Map<String, String> values = new TreeMap<>();
    for (String name : OVERRIDABLE) {
      request.query("response-" + name).ifPresent(v -> values.put(name, headerValue(name, v)));
    }
    if (!values.isEmpty() && request.identity().isAnonymous()) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST, "response-* in the query needs a signed request");
    }
    return values;
  }

  /** For a 304. */
  static Headers unchanged(ObjectMeta meta, Headers stated) {
    return identity(meta, stated).build();
  }

  /** For a PUT's answer. */
  static Headers stored(ObjectMeta meta, Headers stated) {
    Headers.Builder headers = Headers.builder().add(HttpNames.ETAG, ETags.quoted(meta.etag()));
    stated.forEach(headers::add);
    addChecksums(headers, meta.checksums(), meta.checksumType());
    return headers.build();
  }

  /** For an UploadPart's answer. */
  static Headers stored(PartMeta part, Headers stated) {
    Headers.Builder headers = Headers.builder().add(HttpNames.ETAG, ETags.quoted(part.etag()));
    stated.forEach(headers::add);
    part.checksums().forEach(headers::add);
    return headers.build();
  }

  private static Headers.Builder identity(ObjectMeta meta, Headers stated) {
    Headers.Builder headers =
        Headers.builder()
            .add(HttpNames.ETAG, ETags.quoted(meta.etag()))
            .add(HttpNames.LAST_MODIFIED, HttpDates.format(meta.lastModified()));
    stated.forEach(headers::add);
    return headers;
  }

  private static void addChecksums(
      Headers.Builder headers, Map<String, String> checksums, ChecksumType type) {
    checksums.forEach(headers::add);
    if (!checksums.isEmpty()) {
      headers.add(HttpNames.AMZ_CHECKSUM_TYPE, Checksums.typeOr(type).name());
    }
  }

  /** aws-chunked is framing of this one request and no property of the object. */
  private static String contentEncoding(Headers headers) {
    List<String> encodings = new ArrayList<>();
    for (String value : headers.all(HttpNames.CONTENT_ENCODING)) {
      Arrays.stream(value.split(",", -1))
          .map(String::trim)
          .filter(encoding -> !encoding.isEmpty() && !encoding.equalsIgnoreCase("aws-chunked"))
          .forEach(encodings::add);
    }
    return String.join(", ", encodings);
  }

  /** A decoded query value may hold anything; a header may not. */
  private static String headerValue(String name, String value) {
    if (value.chars().anyMatch(c -> (c < 0x20 && c != '\t') || c == 0x7f)) {
      throw new S3Exception(
          S3ErrorCode.INVALID_ARGUMENT, "response-" + name + " holds control characters");
    }
    return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
