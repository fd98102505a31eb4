package io.s3rdma.server.flow;

import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.http.ChecksumAlgorithm;
import io.s3rdma.server.http.ChecksumVerifier;
import io.s3rdma.server.http.Hasher;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.ChecksumType;
import io.s3rdma.server.store.EtagKind;
import io.s3rdma.server.store.NewObject;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.ObjectWriter;
import io.s3rdma.server.store.Preconditions;
import io.s3rdma.server.store.StoredObject;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * CopyObject. The bytes are not copied, so no object is too large for it; they are read once where
 * a checksum is asked for that the source has not. Only where the copy is to be encrypted in
 * another way or with another key, the bytes are written anew: then S3's limit holds, and the copy
 * has no parts, as on S3.
 */
final class CopyFlow {
  private static final long REWRITTEN_BYTES_MAX = 5L << 30;

  private final ObjectStore store;
  private final Encryption encryption;

  CopyFlow(ObjectStore store, Encryption encryption) {
    this.store = store;
    this.encryption = encryption;
  }

  S3Response handle(S3Request request) throws IOException {
    Unsupported.refuse(request);
    ObjectRef source = CopySource.readable(request);
    boolean ownAttributes = replaces(request, HttpNames.AMZ_METADATA_DIRECTIVE);
    boolean ownTags = replaces(request, HttpNames.AMZ_TAGGING_DIRECTIVE);
    Optional<ChecksumAlgorithm> asked = Checksums.asked(request.headers());
    Preconditions preconditions = NewObjects.preconditions(request);
    Protection protection = encryption.wanted(request);
    boolean changes = ownAttributes || ownTags || Encryption.isAsked(request.headers());
    refuseCopyOntoItself(request, source, changes);
    try (StoredObject object = Versions.open(store, request, source)) {
      ObjectMeta from = object.meta();
      if (!ownTags && !from.tags().isEmpty()) {
        request.requireReadOfTags(source.bucket(), source.key(), source.versionId());
        request.requireWriteOfTags();
      }
      encryption.unlockSource(request, object);
      ReadConditions.require(request, from);
      NewObject wanted =
          NewObjects.of(
              request,
              ownAttributes ? ObjectHeaders.toKeep(request.headers()) : from.attributes(),
              ownTags ? NewObjects.tags(request) : from.tags());
      ObjectMeta made =
          object.suits(protection)
              ? shared(object, wanted, preconditions, asked, protection)
              : rewritten(object, wanted, preconditions, asked, protection);
      return answer(request, from, made);
    }
  }

  private ObjectMeta shared(
      StoredObject source,
      NewObject wanted,
      Preconditions preconditions,
      Optional<ChecksumAlgorithm> asked,
      Protection protection)
      throws IOException {
    ObjectMeta from = source.meta();
    boolean asIs = asked.isEmpty() || from.checksums().containsKey(asked.get().header());
    Map<String, String> checksums = asIs ? from.checksums() : computed(source, asked.get());
    ChecksumType type = asIs ? from.checksumType() : ChecksumType.FULL_OBJECT;
    return store.copy(source, wanted, preconditions, checksums, type, protection);
  }

  private ObjectMeta rewritten(
      StoredObject source,
      NewObject wanted,
      Preconditions preconditions,
      Optional<ChecksumAlgorithm> asked,
      Protection protection)
      throws IOException {
    long size = source.meta().size();
    if (size > REWRITTEN_BYTES_MAX) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST,
          "a copy that changes the encryption can have "
              + REWRITTEN_BYTES_MAX
              + " bytes, and the source has "
              + size
              + "; copy it in parts");
    }
    Optional<ChecksumAlgorithm> algorithm =
        asked.or(
            () ->
                source.meta().checksums().keySet().stream()
                    .flatMap(header -> ChecksumAlgorithm.ofHeader(header).stream())
                    .findFirst());
    ChecksumVerifier checksum = ChecksumVerifier.forRequest(Headers.EMPTY, algorithm);
    try (ObjectWriter writer = store.create(wanted, size, EtagKind.MD5, protection)) {
      SourceBytes.copy(source, 0, size, checksum, writer);
      return writer.commit(preconditions, checksum.verify(Headers.EMPTY, writer.md5()));
    }
  }

  private S3Response answer(S3Request request, ObjectMeta from, ObjectMeta made)
      throws IOException {
    Xml xml =
        Xml.document("CopyObjectResult")
            .text("LastModified", HttpDates.iso(made.lastModified()))
            .text("ETag", ETags.quoted(made.etag()));
    Checksums.write(xml, made.checksums(), made.checksumType());
    Headers stated = Versions.statedOnWrite(store, made);
    S3Response answer =
        S3Response.xml(200, xml.finish())
            .withHeaders(Encryption.stated(stated, made.sealedKey(), request.headers()));
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
