package io.s3rdma.server.flow;

import io.s3rdma.server.document.CompletedParts;
import io.s3rdma.server.http.ChecksumVerifier;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.UriCodec;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.ChecksumType;
import io.s3rdma.server.store.Completion;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.PartClaim;
import io.s3rdma.server.store.PartMeta;
import io.s3rdma.server.store.StoreException;
import io.s3rdma.server.store.UploadMeta;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How a multipart upload begins and ends. */
final class MultipartFlow {
  private static final int XML_BYTES_MAX = 4 << 20;

  private final ObjectStore store;
  private final Encryption encryption;
  private final long partBytesMin;

  /** {@code partBytesMin} is what every part but the last must have. */
  MultipartFlow(ObjectStore store, Encryption encryption, long partBytesMin) {
    this.store = store;
    this.encryption = encryption;
    this.partBytesMin = partBytesMin;
  }

  S3Response create(S3Request request) throws IOException {
    Unsupported.refuse(request);
    UploadChecksum checksum = UploadChecksum.declared(request.headers());
    String algorithm = checksum.algorithm().map(Enum::name).orElse("");
    UploadMeta upload =
        store.createUpload(
            NewObjects.of(request),
            request.identity().account().id(),
            algorithm,
            checksum.type(),
            encryption.wanted(request));
    Xml xml =
        Xml.document("InitiateMultipartUploadResult")
            .text("Bucket", request.bucket())
            .text("Key", request.key())
            .text("UploadId", upload.id());
    S3Response answer =
        S3Response.xml(200, xml.finish())
            .withHeaders(Encryption.stated(Headers.EMPTY, upload.sealedKey(), request.headers()));
    return algorithm.isEmpty()
        ? answer
        : answer
            .withHeader(HttpNames.AMZ_CHECKSUM_ALGORITHM, algorithm)
            .withHeader(HttpNames.AMZ_CHECKSUM_TYPE, checksum.type().name());
  }

  S3Response abort(S3Request request) throws IOException {
    store.abort(request.bucket(), request.key(), PartFlow.uploadId(request));
    return S3Response.of(204);
  }

  /**
   * Takes no time for the bytes: they stay where they are, and checksums follow from the parts'.
   */
  S3Response complete(S3Request request) throws IOException {
    Unsupported.refuse(request);
    byte[] document = request.body().readAll(XML_BYTES_MAX);
    ChecksumVerifier.requireMd5(request.headers(), document);
    return answer(request, completed(request, CompletedParts.parse(document)));
  }

  private ObjectMeta completed(S3Request request, List<CompletedParts.Part> claimed)
      throws IOException {
    UploadMeta upload;
    try {
      upload = PartFlow.uploadOf(store, request);
    } catch (StoreException e) {
      if (e.reason() != StoreException.Reason.NO_SUCH_UPLOAD) {
        throw e;
      }
      // Perhaps completed before, and the answer was lost: the store knows.
      return store.complete(completion(request, claimed, Map.of(), null));
    }
    encryption.requireKey(request, upload);
    UploadChecksum checksum = UploadChecksum.of(upload).orAsCompleted(request.headers());
    List<PartMeta> parts = claimedOf(request, claimed);
    Map<String, String> sums = checksum.verified(parts, request.headers());
    requireSize(request, parts);
    return store.complete(completion(request, claimed, sums, checksum.type()));
  }

  private Completion completion(
      S3Request request,
      List<CompletedParts.Part> claimed,
      Map<String, String> checksums,
      ChecksumType type) {
    return new Completion(
        request.bucket(),
        request.key(),
        PartFlow.uploadId(request),
        claimed.stream().map(part -> new PartClaim(part.number(), part.etag())).toList(),
        NewObjects.preconditions(request),
        checksums,
        Checksums.typeOr(type),
        partBytesMin);
  }

  /** The uploaded parts that are claimed; what the client says of them must hold. */
  private List<PartMeta> claimedOf(S3Request request, List<CompletedParts.Part> claimed)
      throws IOException {
    Map<Integer, PartMeta> uploaded = new HashMap<>();
    store
        .uploadedParts(
            request.bucket(),
            request.key(),
            PartFlow.uploadId(request),
            0,
            CompletedParts.PARTS_MAX)
        .forEach(part -> uploaded.put(part.number(), part));
    List<PartMeta> parts = new ArrayList<>(claimed.size());
    for (CompletedParts.Part claim : claimed) {
      PartMeta part = uploaded.get(claim.number());
      // A checksum that was not uploaded with the part could not be vouched for.
      boolean holds =
          part != null
              && part.etag().equals(claim.etag())
              && part.checksums().entrySet().containsAll(claim.checksums().entrySet());
      if (!holds) {
        throw new S3Exception(
                S3ErrorCode.INVALID_PART,
                "part " + claim.number() + " is missing, or has another ETag or checksum")
            .withDetail("PartNumber", Integer.toString(claim.number()))
            .withDetail("ETag", claim.etag());
      }
      parts.add(part);
    }
    return parts;
  }

  private static void requireSize(S3Request request, List<PartMeta> parts) {
    Optional<String> stated = request.header(HttpNames.AMZ_MP_OBJECT_SIZE);
    long size = parts.stream().mapToLong(PartMeta::size).sum();
    if (stated.isPresent() && !stated.get().trim().equals(Long.toString(size))) {
      throw new S3Exception(
          S3ErrorCode.INVALID_REQUEST,
          "the parts have " + size + " bytes, and x-amz-mp-object-size says " + stated.get());
    }
  }

  private S3Response answer(S3Request request, ObjectMeta made) throws IOException {
    String path = UriCodec.encode(UriCodec.decode(request.rawPath()), true);
    Xml xml =
        Xml.document("CompleteMultipartUploadResult")
            .text("Location", request.head().addressOf(path))
            .text("Bucket", made.bucket())
            .text("Key", made.key())
            .text("ETag", ETags.quoted(made.etag()));
    Checksums.write(xml, made.checksums(), made.checksumType());
    Headers stated = Versions.statedOnWrite(store, made);
    return S3Response.xml(200, xml.finish())
        .withHeaders(Encryption.stated(stated, made.sealedKey(), request.headers()));
  }
}
