package io.s3rdma.server.s3;

import io.s3rdma.server.http.Account;
import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.ListQuery;
import io.s3rdma.server.store.Listing;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** ListObjects and ListObjectsV2. */
final class ListOperations {
  private static final int KEYS_MAX = 1000;

  private final ObjectStore store;

  ListOperations(ObjectStore store) {
    this.store = store;
  }

  S3Response list(S3Request request) throws IOException {
    boolean second = request.query("list-type").map("2"::equals).orElse(false);
    return S3Response.xml(200, second ? version2(request) : version1(request));
  }

  private String version1(S3Request request) throws IOException {
    String marker = request.query("marker").orElse("");
    KeyEncoding encoding = KeyEncoding.of(request);
    Listing page = page(request, marker);
    // botocore decodes this prefix in version 2 only.
    Xml xml = begin(request, request.query("prefix").orElse(""), encoding);
    xml.text("Marker", encoding.apply(marker));
    xml.text("IsTruncated", page.isTruncated());
    if (page.isTruncated()) {
      // Also without a delimiter: some clients loop for ever when it is missing.
      xml.text("NextMarker", encoding.apply(page.last()));
    }
    entries(xml, page, encoding, request.access().ownerOf(request.bucket()));
    return xml.finish();
  }

  private String version2(S3Request request) throws IOException {
    Optional<String> token = request.query("continuation-token");
    String startAfter = request.query("start-after").orElse("");
    KeyEncoding encoding = KeyEncoding.of(request);
    String after = token.filter(t -> !t.isEmpty()).map(Token::decode).orElse(startAfter);
    Listing page = page(request, after);
    Xml xml = begin(request, encoding.apply(request.query("prefix").orElse("")), encoding);
    xml.text("KeyCount", (long) page.objects().size() + page.commonPrefixes().size());
    xml.text("IsTruncated", page.isTruncated());
    token.ifPresent(t -> xml.text("ContinuationToken", t));
    if (!startAfter.isEmpty()) {
      xml.text("StartAfter", encoding.apply(startAfter));
    }
    if (page.isTruncated()) {
      xml.text("NextContinuationToken", Token.encode(page.last()));
    }
    boolean withOwner = request.query("fetch-owner").map("true"::equals).orElse(false);
    entries(xml, page, encoding, withOwner ? request.access().ownerOf(request.bucket()) : null);
    return xml.finish();
  }

  private Listing page(S3Request request, String after) throws IOException {
    return store.list(
        new ListQuery(
            request.bucket(),
            request.query("prefix").orElse(""),
            after,
            request.query("delimiter").orElse(""),
            Numbers.count(request, "max-keys", KEYS_MAX)));
  }

  private static Xml begin(S3Request request, String prefix, KeyEncoding encoding) {
    Xml xml =
        Xml.document("ListBucketResult")
            .text("Name", request.bucket())
            .text("Prefix", prefix)
            .text("MaxKeys", Numbers.count(request, "max-keys", KEYS_MAX));
    request
        .query("delimiter")
        .filter(delimiter -> !delimiter.isEmpty())
        .ifPresent(delimiter -> xml.text("Delimiter", encoding.apply(delimiter)));
    encoding.write(xml);
    return xml;
  }

  /** {@code owner} is null where none shall be shown. */
  private static void entries(Xml xml, Listing page, KeyEncoding encoding, Account owner) {
    for (ObjectMeta object : page.objects()) {
      xml.start("Contents")
          .text("Key", encoding.apply(object.key()))
          .text("LastModified", HttpDates.iso(object.lastModified()))
          .text("ETag", '"' + object.etag() + '"')
          .text("Size", object.size())
          .text("StorageClass", "STANDARD");
      if (owner != null) {
        Owner.write(xml, owner);
      }
      xml.end();
    }
    for (String prefix : page.commonPrefixes()) {
      xml.start("CommonPrefixes").text("Prefix", encoding.apply(prefix)).end();
    }
  }

  /** A token is the last entry of the page before it; clients must not look inside. */
  private static final class Token {
    private static final String FORM = "1";

    static String encode(String last) {
      byte[] octets = (FORM + last).getBytes(StandardCharsets.UTF_8);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
    }

    static String decode(String token) {
      try {
        String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
        if (text.startsWith(FORM)) {
          return text.substring(FORM.length());
        }
      } catch (IllegalArgumentException e) {
        throw invalid();
      }
      throw invalid();
    }

    private static S3Exception invalid() {
      return new S3Exception(
          S3ErrorCode.INVALID_ARGUMENT, "the continuation token is not one of this server");
    }
  }
}
