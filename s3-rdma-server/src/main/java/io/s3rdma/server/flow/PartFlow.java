package io.s3rdma.server.flow;

import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.http.ByteRange;
import io.s3rdma.server.http.ChecksumVerifier;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.EtagKind;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.PartMeta;
import io.s3rdma.server.store.PartWriter;
import io.s3rdma.server.store.StoredObject;
import io.s3rdma.server.store.UploadMeta;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** UploadPart and UploadPartCopy. */
final class PartFlow {
  static final String UPLOAD_ID = "uploadId";

  private static final Pattern RANGE = Pattern.compile("bytes=([0-9]{1,18})-([0-9]{1,18})");

  private final ObjectStore store;
  private final Encryption encryption;
  private final Intake intake;

  PartFlow(ObjectStore store, Encryption encryption, Intake intake) {
    this.store = store;
    this.encryption = encryption;
    this.intake = intake;
  }

  /** A part moves by RDMA like an object (P-4.3). */
  S3Response upload(S3Request request) throws IOException {
    Unsupported.refuse(request);
    int number = PartNumbers.required(request);
    UploadMeta upload = uploadOf(store, request);
    Optional<CustomerKey> key = encryption.partKey(request, upload);
    ChecksumVerifier checksum =
        ChecksumVerifier.forRequest(request.headers(), UploadChecksum.of(upload).algorithm());
    return intake.<PartWriter>take(
        request,
        checksum,
        (length, etag) -> store.createPart(upload, number, length, etag, key),
        (writer, sums) -> ObjectHeaders.stored(writer.commit(sums), stated(upload, request)));
  }

  S3Response copy(S3Request request) throws IOException {
    Unsupported.refuse(request);
    int number = PartNumbers.required(request);
    UploadMeta upload = uploadOf(store, request);
    Optional<CustomerKey> key = encryption.partKey(request, upload);
    ObjectRef source = CopySource.readable(request);
    try (StoredObject object = Versions.open(store, request, source)) {
      encryption.unlockSource(request, object);
      ReadConditions.require(request, object.meta());
      ByteRange range = range(request, object.meta().size());
      PartMeta part = copied(upload, number, object, range, key);
      Xml xml =
          Xml.document("CopyPartResult")
              .text("LastModified", HttpDates.iso(part.lastModified()))
              .text("ETag", ETags.quoted(part.etag()));
      Checksums.write(xml, part.checksums());
      S3Response answer = S3Response.xml(200, xml.finish()).withHeaders(stated(upload, request));
      return CopyFlow.withSource(store, object.meta(), answer);
    }
  }

  private PartMeta copied(
      UploadMeta upload,
      int number,
      StoredObject source,
      ByteRange range,
      Optional<CustomerKey> key)
      throws IOException {
    ChecksumVerifier checksum =
        ChecksumVerifier.forRequest(Headers.EMPTY, UploadChecksum.of(upload).algorithm());
    try (PartWriter writer = store.createPart(upload, number, range.length(), EtagKind.MD5, key)) {
      SourceBytes.copy(source, range.first(), range.length(), checksum, writer);
      return writer.commit(checksum.verify(Headers.EMPTY, writer.md5()));
    }
  }

  private static Headers stated(UploadMeta upload, S3Request request) {
    return Encryption.stated(Headers.EMPTY, upload.sealedKey(), request.headers());
  }

  /** Stricter than a GET's: both ends, and both within the source. */
  private static ByteRange range(S3Request request, long size) {
    String header = request.header(HttpNames.AMZ_COPY_SOURCE_RANGE).orElse(null);
    if (header == null) {
      return ByteRange.whole(size);
    }
    Matcher range = RANGE.matcher(header);
    if (!range.matches()) {
      throw new S3Exception(
              S3ErrorCode.INVALID_ARGUMENT,
              HttpNames.AMZ_COPY_SOURCE_RANGE + " must be bytes=first-last")
          .withDetail("ArgumentName", HttpNames.AMZ_COPY_SOURCE_RANGE)
          .withDetail("ArgumentValue", header);
    }
    long first = Long.parseLong(range.group(1));
    long last = Long.parseLong(range.group(2));
    if (last < first || last >= size) {
      throw new S3Exception(
              S3ErrorCode.INVALID_RANGE, HttpNames.AMZ_COPY_SOURCE_RANGE + " is not in the source")
          .withDetail("ActualObjectSize", Long.toString(size))
          .withDetail("RangeRequested", header);
    }
    return new ByteRange(first, last - first + 1, true);
  }

  static UploadMeta uploadOf(ObjectStore store, S3Request request) throws IOException {
    return store.upload(request.bucket(), request.key(), uploadId(request));
  }

  static String uploadId(S3Request request) {
    return request.query(UPLOAD_ID).orElse("");
  }
}
