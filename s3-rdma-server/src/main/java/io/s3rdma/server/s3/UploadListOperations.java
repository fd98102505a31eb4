package io.s3rdma.server.s3;

import io.s3rdma.server.http.Account;
import io.s3rdma.server.http.ChecksumAlgorithm;
import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.PartMeta;
import io.s3rdma.server.store.UploadListing;
import io.s3rdma.server.store.UploadMeta;
import io.s3rdma.server.store.UploadQuery;
import java.io.IOException;
import java.util.List;

/** ListParts and ListMultipartUploads. */
final class UploadListOperations {
  private static final int ENTRIES_MAX = 1000;
  private static final int PART_NUMBER_MAX = 10_000;

  private final ObjectStore store;

  UploadListOperations(ObjectStore store) {
    this.store = store;
  }

  S3Response parts(S3Request request) throws IOException {
    String uploadId = request.query("uploadId").orElse("");
    int marker =
        request.query("part-number-marker").isEmpty()
            ? 0
            : Numbers.count(request, "part-number-marker", PART_NUMBER_MAX);
    int max = Numbers.count(request, "max-parts", ENTRIES_MAX);
    UploadMeta upload = store.upload(request.bucket(), request.key(), uploadId);
    // One more than the page has tells whether there is another.
    List<PartMeta> found =
        store.uploadedParts(request.bucket(), request.key(), uploadId, marker, max + 1);
    List<PartMeta> page = found.subList(0, Math.min(max, found.size()));
    boolean more = max > 0 && found.size() > max;
    Xml xml =
        Xml.document("ListPartsResult")
            .text("Bucket", request.bucket())
            .text("Key", request.key())
            .text("UploadId", uploadId)
            .text("PartNumberMarker", marker)
            .text("NextPartNumberMarker", page.isEmpty() ? marker : page.getLast().number())
            .text("MaxParts", max)
            .text("IsTruncated", more);
    page.forEach(part -> write(xml, part));
    people(xml, upload, request.access().ownerOf(request.bucket()));
    checksum(xml, upload);
    return S3Response.xml(200, xml.finish());
  }

  private static void write(Xml xml, PartMeta part) {
    xml.start("Part")
        .text("PartNumber", part.number())
        .text("LastModified", HttpDates.iso(part.lastModified()))
        .text("ETag", '"' + part.etag() + '"')
        .text("Size", part.size());
    part.checksums()
        .forEach(
            (header, value) ->
                ChecksumAlgorithm.ofHeader(header).ifPresent(a -> xml.text(a.element(), value)));
    xml.end();
  }

  S3Response uploads(S3Request request) throws IOException {
    KeyEncoding encoding = KeyEncoding.of(request);
    String keyMarker = request.query("key-marker").orElse("");
    // Without a key it would name no place to go on from.
    String uploadMarker = keyMarker.isEmpty() ? "" : request.query("upload-id-marker").orElse("");
    String prefix = request.query("prefix").orElse("");
    String delimiter = request.query("delimiter").orElse("");
    int max = Numbers.count(request, "max-uploads", ENTRIES_MAX);
    UploadListing page =
        store.listUploads(
            new UploadQuery(request.bucket(), prefix, keyMarker, uploadMarker, delimiter, max));
    Xml xml =
        Xml.document("ListMultipartUploadsResult")
            .text("Bucket", request.bucket())
            .text("KeyMarker", encoding.apply(keyMarker))
            .text("UploadIdMarker", uploadMarker)
            .text("Prefix", encoding.apply(prefix));
    if (!delimiter.isEmpty()) {
      xml.text("Delimiter", encoding.apply(delimiter));
    }
    encoding.write(xml);
    xml.text("MaxUploads", max).text("IsTruncated", page.isTruncated());
    if (page.isTruncated()) {
      xml.text("NextKeyMarker", encoding.apply(page.nextKeyMarker()))
          .text("NextUploadIdMarker", page.nextUploadIdMarker());
    }
    Account owner = request.access().ownerOf(request.bucket());
    for (UploadMeta upload : page.uploads()) {
      xml.start("Upload")
          .text("Key", encoding.apply(upload.object().key()))
          .text("UploadId", upload.id());
      people(xml, upload, owner);
      xml.text("Initiated", HttpDates.iso(upload.initiated()));
      checksum(xml, upload);
      xml.end();
    }
    for (String common : page.commonPrefixes()) {
      xml.start("CommonPrefixes").text("Prefix", encoding.apply(common)).end();
    }
    return S3Response.xml(200, xml.finish());
  }

  /** All keys of an account are one person. */
  private static void people(Xml xml, UploadMeta upload, Account owner) {
    boolean own = upload.owner().equals(owner.id());
    Account initiator = own ? owner : new Account(upload.owner(), upload.owner());
    Owner.writeNames(xml.start("Initiator"), initiator);
    Owner.write(xml.end(), owner);
    xml.text("StorageClass", "STANDARD");
  }

  private static void checksum(Xml xml, UploadMeta upload) {
    if (!upload.checksumAlgorithm().isEmpty()) {
      xml.text("ChecksumAlgorithm", upload.checksumAlgorithm())
          .text("ChecksumType", upload.checksumType().name());
    }
  }
}
