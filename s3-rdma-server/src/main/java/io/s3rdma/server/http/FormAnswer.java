package io.s3rdma.server.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** What a form wants to be answered once its file is stored. */
final class FormAnswer {
  private FormAnswer() {}

  /** {@code stored} is the answer to the PUT that the form stands for. */
  static S3Response of(RequestHead head, RequestHead put, FormFields fields, S3Response stored) {
    String bucket = put.bucket();
    String key = put.key();
    String etag = stored.headers().first(HttpNames.ETAG).orElse("");
    Optional<String> redirect = fields.first(FormFields.REDIRECT).flatMap(FormAnswer::address);
    if (redirect.isPresent()) {
      String query = "bucket=" + encoded(bucket) + "&key=" + encoded(key);
      return S3Response.of(303, stored.headers())
          .withHeader(
              HttpNames.LOCATION, withQuery(redirect.get(), query + "&etag=" + encoded(etag)));
    }
    String path = (head.hostBucket().isEmpty() ? "/" + bucket : "") + put.rawPath();
    S3Response answer =
        switch (fields.first(FormFields.STATUS).orElse("")) {
          case "200" -> S3Response.of(200);
          case "201" -> S3Response.xml(201, document(head, path, bucket, key, etag));
          default -> S3Response.of(204);
        };
    return answer.withHeaders(stored.headers()).withHeader(HttpNames.LOCATION, path);
  }

  private static String document(
      RequestHead head, String path, String bucket, String key, String etag) {
    return Xml.plainDocument("PostResponse")
        .text("Location", head.addressOf(path))
        .text("Bucket", bucket)
        .text("Key", key)
        .text("ETag", etag)
        .finish();
  }

  /** As on S3, what is no address counts as not given; and no script may be one. */
  private static Optional<String> address(String text) {
    try {
      URI uri = new URI(text);
      String scheme = uri.getScheme();
      boolean web = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
      return web && uri.getHost() != null ? Optional.of(uri.toASCIIString()) : Optional.empty();
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static String withQuery(String address, String query) {
    int hash = address.indexOf('#');
    String place = hash < 0 ? address : address.substring(0, hash);
    String fragment = hash < 0 ? "" : address.substring(hash);
    return place + (place.indexOf('?') < 0 ? "?" : "&") + query + fragment;
  }

  private static String encoded(String text) {
    return UriCodec.encode(text, false);
  }
}
