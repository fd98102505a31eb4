package io.s3rdma.server.flow;

import io.s3rdma.server.http.ChecksumAlgorithm;
import io.s3rdma.server.http.Hasher;
import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.ChecksumType;
import io.s3rdma.server.store.NewObject;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.Preconditions;
import io.s3rdma.server.store.StoredObject;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * CopyObject. The bytes are not copied, so no object is too large for it; they are read once where
 * a checksum is asked for that the source has not.
 */
final class CopyFlow {
  private final ObjectStore store;

  CopyFlow(ObjectStore store) {
    this.store = store;
  }

  S3Response handle(S3Request request) throws IOException {
    Unsupported.refuse(request);
    ObjectRef source = CopySource.readable(request);
    boolean ownAttributes = replaces(request, HttpNames.AMZ_METADATA_DIRECTIVE);
    boolean ownTags = replaces(request, HttpNames.AMZ_TAGGING_DIRECTIVE);
    Optional<ChecksumAlgorithm> asked = Checksums.asked(request.headers());
    Preconditions preconditions = NewObjects.preconditions(request);
    refuseCopyOntoItself(request, source, ownAttributes || ownTags);
    try (StoredObject object = Versions.open(store, request, source)) {
      ObjectMeta from = object.meta();
      if (!ownTags && !from.tags().isEmpty()) {
        request.requireReadOfTags(source.bucket(), source.key(), source.versionId());
        request.requireWriteOfTags();
      }
      ReadConditions.require(request, from);
      NewObject wanted =
          NewObjects.of(
              request,
              ownAttributes ? ObjectHeaders.toKeep(request.headers()) : from.attributes(),
              ownTags ? NewObjects.tags(request) : from.tags());
      boolean asIs = asked.isEmpty() || from.checksums().containsKey(asked.get().header());
      Map<String, String> checksums = asIs ? from.checksums() : computed(object, asked.get());
      ChecksumType type = asIs ? from.checksumType() : ChecksumType.FULL_OBJECT;
      ObjectMeta made = store.copy(object, wanted, preconditions, checksums, type);
      return answer(from, made);
    }
  }

  private S3Response answer(ObjectMeta from, ObjectMeta made) throws IOException {
    Xml xml =
        Xml.document("CopyObjectResult")
            .text("LastModified", HttpDates.iso(made.lastModified()))
            .text("ETag", ETags.quoted(made.etag()));
    Checksums.write(xml, made.checksums(), made.checksumType());
    S3Response answer =
        S3Response.xml(200, xml.finish()).withHeaders(Versions.statedOnWrite(store, made));
    return withSource(store, from, answer);
  }

  /** Says which version was copied, where there are versions. */
  static S3Response withSource(ObjectStore store, ObjectMeta from, S3Response answer)
      throws IOException {
    return Versions.idOnRead(store, from)
        .map(id -> answer.withHeader(HttpNames.AMZ_COPY_SOURCE_VERSION_ID, id))
        .orElse(answer);
  }

  private static boolean replaces(S3Request request, String directive) {
    return switch (request.header(directive).orElse("COPY")) {
      case "COPY" -> false;
      case "REPLACE" -> true;
      default ->
          throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, directive + " is COPY or REPLACE")
              .withDetail("ArgumentName", directive);
    };
  }

  /** An older version may be copied onto its key: that makes it the current one again. */
  private static void refuseCopyOntoItself(S3Request request, ObjectRef source, boolean changes) {
    if (!changes && source.equals(ObjectRef.current(request.bucket(), request.key()))) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST,
          "the copy onto itself would change nothing; give x-amz-metadata-directive: REPLACE");
    }
  }

  private static Map<String, String> computed(StoredObject object, ChecksumAlgorithm algorithm)
      throws IOException {
    Hasher hasher = algorithm.newHasher();
    SourceBytes.read(object, 0, object.meta().size(), hasher::update);
    return Map.of(algorithm.header(), Base64.getEncoder().encodeToString(hasher.finish()));
  }
}
