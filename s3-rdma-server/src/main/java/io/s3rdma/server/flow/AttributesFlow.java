package io.s3rdma.server.flow;

import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.PartMeta;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** GetObjectAttributes. */
final class AttributesFlow {
  private static final int PARTS_MAX = 1000;

  private final ObjectStore store;
  private final Encryption encryption;

  AttributesFlow(ObjectStore store, Encryption encryption) {
    this.store = store;
    this.encryption = encryption;
  }

  /** What may be asked for, in the order of the answer. */
  private enum Attribute {
    ETAG("ETag"),
    CHECKSUM("Checksum"),
    OBJECT_PARTS("ObjectParts"),
    STORAGE_CLASS("StorageClass"),
    OBJECT_SIZE("ObjectSize");

    private final String text;

    Attribute(String text) {
      this.text = text;
    }
  }

  S3Response handle(S3Request request) throws IOException {
    Unsupported.refuse(request);
    Set<Attribute> asked = asked(request);
    int partsMax = number(request, HttpNames.AMZ_MAX_PARTS, PARTS_MAX);
    int marker = number(request, HttpNames.AMZ_PART_NUMBER_MARKER, 0);
    ObjectMeta meta = Versions.find(store, request, Versions.named(request));
    encryption.requireKey(request, meta);
    Xml xml = Xml.document("GetObjectAttributesResponse");
    for (Attribute attribute : asked) {
      switch (attribute) {
        case ETAG -> xml.text("ETag", meta.etag());
        case CHECKSUM -> checksum(xml, meta);
        case OBJECT_PARTS -> parts(xml, meta, marker, Math.min(partsMax, PARTS_MAX));
        case STORAGE_CLASS -> xml.text("StorageClass", "STANDARD");
        case OBJECT_SIZE -> xml.text("ObjectSize", meta.size());
      }
    }
    S3Response answer =
        S3Response.xml(200, xml.finish())
            .withHeader(HttpNames.LAST_MODIFIED, HttpDates.format(meta.lastModified()));
    return Versions.idOnRead(store, meta)
        .map(id -> answer.withHeader(HttpNames.AMZ_VERSION_ID, id))
        .orElse(answer);
  }

  /** The header may be one list or many, in any order. */
  private static Set<Attribute> asked(S3Request request) {
    Set<Attribute> asked = EnumSet.noneOf(Attribute.class);
    for (String value : request.headers().all(HttpNames.AMZ_OBJECT_ATTRIBUTES)) {
      for (String name : value.split(",", -1)) {
        asked.add(known(name.trim()));
      }
    }
    if (asked.isEmpty()) {
      throw invalid(HttpNames.AMZ_OBJECT_ATTRIBUTES, "is missing");
    }
    return asked;
  }

  private static Attribute known(String name) {
    for (Attribute attribute : Attribute.values()) {
      if (attribute.text.equals(name)) {
        return attribute;
      }
    }
    throw invalid(HttpNames.AMZ_OBJECT_ATTRIBUTES, "has no attribute " + name);
  }

  private static int number(S3Request request, String header, int otherwise) {
    Optional<String> text = request.header(header);
    if (text.isPresent() && !text.get().matches("[0-9]{1,9}")) {
      throw invalid(header, "is not a whole number");
    }
    return text.map(Integer::parseInt).orElse(otherwise);
  }

  private static S3Exception invalid(String header, String message) {
    return new S3Exception(S3ErrorCode.INVALID_ARGUMENT, header + " " + message)
        .withDetail("ArgumentName", header);
  }

  private static void checksum(Xml xml, ObjectMeta meta) {
    if (!meta.checksums().isEmpty()) {
      xml.start("Checksum");
      Checksums.write(xml, meta.checksums(), meta.checksumType());
      xml.end();
    }
  }

  /** Parts have the numbers by which a GET finds them. */
  private void parts(Xml xml, ObjectMeta meta, int marker, int partsMax) throws IOException {
    if (meta.partCount() == 0) {
      return;
    }
    List<PartMeta> all = store.parts(meta);
    int from = Math.min(marker, all.size());
    int to = Math.min(from + partsMax, all.size());
    xml.start("ObjectParts")
        .text("PartsCount", all.size())
        .text("PartNumberMarker", marker)
        .text("NextPartNumberMarker", to)
        .text("MaxParts", partsMax)
        .text("IsTruncated", to < all.size());
    for (int i = from; i < to; i++) {
      xml.start("Part").text("PartNumber", i + 1).text("Size", all.get(i).size());
      Checksums.write(xml, all.get(i).checksums());
      xml.end();
    }
    xml.end();
  }
}
