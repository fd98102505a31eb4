package io.s3rdma.server.flow;

import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.EvidenceText;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.ResponseBody;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.negotiation.Decision;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.StoredObject;
import java.io.IOException;
import java.util.Optional;

/** The way of a byte out of the server. */
final class GetFlow {
  private final ObjectStore store;
  private final Encryption encryption;
  private final RdmaPath rdma;

  GetFlow(ObjectStore store, Encryption encryption, RdmaPath rdma) {
    this.store = store;
    this.encryption = encryption;
    this.rdma = rdma;
  }

  S3Response handle(S3Request request) throws IOException {
    Unsupported.refuse(request);
    // Opened once: headers and bytes are of one version, whatever happens to the key.
    ObjectRef named = Versions.named(request);
    StoredObject object = Versions.open(store, request, named);
    S3Response answer = null;
    try {
      answer = answer(request, object, named);
      return answer;
    } finally {
      if (answer == null || !hasBytesOf(answer)) {
        object.close();
      }
    }
  }

  private S3Response answer(S3Request request, StoredObject object, ObjectRef named)
      throws IOException {
    ObjectMeta meta = object.meta();
    Selection.requirePart(request, meta);
    encryption.unlock(request, object);
    Headers stated = stated(request, meta, named);
    if (!ReadConditions.hold(request, meta)) {
      return S3Response.of(304, ObjectHeaders.unchanged(meta, stated));
    }
    Selection selection = Selection.of(request, meta, store);
    Headers headers = ObjectHeaders.toAnswer(request, meta, selection, stated);
    // P-4.1: only now, when plain S3 would send the bytes.
    return switch (rdma.forGet(request, selection.range().length())) {
      case Decision.PlainHttp _ -> httpBody(object, selection, headers);
      case Decision.Declined declined ->
          rdma.declined(httpBody(object, selection, headers), declined.reason());
      case Decision.NothingToMove _ -> rdma.nothingMoved(selection.status(), headers);
      case Decision.Rdma plan -> byRdma(request, object, selection, headers, plan);
      case Decision.Refused refused -> throw new IllegalStateException(refused.message());
    };
  }

  private S3Response byRdma(
      S3Request request,
      StoredObject object,
      Selection selection,
      Headers headers,
      Decision.Rdma plan)
      throws IOException {
    long first = selection.range().first();
    Optional<EvidenceText> proof = rdma.write(request, plan, new ObjectSource(object, first));
    return proof.isPresent()
        ? rdma.moved(selection.status(), headers, plan.bytes(), proof)
        : rdma.declined(httpBody(object, selection, headers), DeclineReason.NO_STAGING_MEMORY);
  }

  /** The same without the bytes; never takes part in RDMA (P-1.13). */
  S3Response head(S3Request request) throws IOException {
    Unsupported.refuse(request);
    ObjectRef named = Versions.named(request);
    ObjectMeta meta = Versions.find(store, request, named);
    Selection.requirePart(request, meta);
    encryption.requireKey(request, meta);
    Headers stated = stated(request, meta, named);
    if (!ReadConditions.hold(request, meta)) {
      return S3Response.of(304, ObjectHeaders.unchanged(meta, stated));
    }
    Selection selection = Selection.of(request, meta, store);
    Headers headers = ObjectHeaders.toAnswer(request, meta, selection, stated);
    return S3Response.of(selection.status(), headers).withLengthOnly(selection.range().length());
  }

  private Headers stated(S3Request request, ObjectMeta meta, ObjectRef named) throws IOException {
    Headers ofVersion = Versions.statedOnRead(store, meta, named);
    return Encryption.stated(ofVersion, meta.sealedKey(), request.headers());
  }

  /** The answer owns the object from here. */
  private static S3Response httpBody(StoredObject object, Selection selection, Headers headers) {
    return S3Response.of(selection.status(), headers)
        .withContent(
            new StoredContent(object), selection.range().first(), selection.range().length());
  }

  private static boolean hasBytesOf(S3Response answer) {
    return answer.body() instanceof ResponseBody.Content;
  }
}
