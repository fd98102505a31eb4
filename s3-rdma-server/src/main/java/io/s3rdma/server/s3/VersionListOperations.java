package io.s3rdma.server.s3;

import io.s3rdma.server.http.Account;
import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.VersionListing;
import io.s3rdma.server.store.VersionQuery;
import java.io.IOException;

/** ListObjectVersions. What a bucket without versions holds has the version id {@code null}. */
final class VersionListOperations {
  private static final int ENTRIES_MAX = 1000;

  private final ObjectStore store;

  VersionListOperations(ObjectStore store) {
    this.store = store;
  }

  S3Response list(S3Request request) throws IOException {
    KeyEncoding encoding = KeyEncoding.of(request);
    String prefix = request.query("prefix").orElse("");
    String keyMarker = request.query("key-marker").orElse("");
    String versionMarker = request.query("version-id-marker").orElse("");
    String delimiter = request.query("delimiter").orElse("");
    int max = Numbers.count(request, "max-keys", ENTRIES_MAX);
    if (!versionMarker.isEmpty() && keyMarker.isEmpty()) {
      throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, "a version-id marker needs a key marker");
    }
    VersionListing page =
        store.listVersions(
            new VersionQuery(request.bucket(), prefix, keyMarker, versionMarker, delimiter, max));
    Xml xml =
        Xml.document("ListVersionsResult")
            .text("Name", request.bucket())
            .text("Prefix", encoding.apply(prefix))
            .text("KeyMarker", encoding.apply(keyMarker))
            .text("VersionIdMarker", versionMarker)
            .text("MaxKeys", max);
    if (!delimiter.isEmpty()) {
      xml.text("Delimiter", encoding.apply(delimiter));
    }
    encoding.write(xml);
    xml.text("IsTruncated", page.isTruncated());
    if (page.isTruncated()) {
      xml.text("NextKeyMarker", encoding.apply(page.nextKeyMarker()));
      if (!page.nextVersionIdMarker().isEmpty()) {
        xml.text("NextVersionIdMarker", page.nextVersionIdMarker());
      }
    }
    Account owner = request.access().ownerOf(request.bucket());
    page.entries().forEach(entry -> write(xml, entry, encoding, owner));
    for (String common : page.commonPrefixes()) {
      xml.start("CommonPrefixes").text("Prefix", encoding.apply(common)).end();
    }
    return S3Response.xml(200, xml.finish());
  }

  private static void write(
      Xml xml, VersionListing.Entry entry, KeyEncoding encoding, Account owner) {
    ObjectMeta version = entry.version();
    xml.start(version.isDeleteMarker() ? "DeleteMarker" : "Version")
        .text("Key", encoding.apply(version.key()))
        .text("VersionId", version.versionId())
        .text("IsLatest", entry.isLatest())
        .text("LastModified", HttpDates.iso(version.lastModified()));
    if (!version.isDeleteMarker()) {
      xml.text("ETag", '"' + version.etag() + '"')
          .text("Size", version.size())
          .text("StorageClass", "STANDARD");
    }
    Owner.write(xml, owner);
    xml.end();
  }
}
