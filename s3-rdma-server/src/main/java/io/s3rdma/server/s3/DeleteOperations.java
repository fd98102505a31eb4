package io.s3rdma.server.s3;

import io.s3rdma.server.document.DeleteDocument;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.Deletion;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import io.s3rdma.server.store.Preconditions;
import io.s3rdma.server.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DeleteObject and DeleteObjects. */
final class DeleteOperations {
  private static final Logger LOG = LoggerFactory.getLogger(DeleteOperations.class);
  private static final int XML_BYTES_MAX = 4 << 20;

  /** Conditions that are not known must not be taken for none. */
  private static final List<String> UNSUPPORTED =
      List.of("x-amz-if-match-last-modified-time", "x-amz-if-match-size");

  private final ObjectStore store;
  private final Function<Exception, S3Exception> refusals;

  /** {@code refusals} tells what a failure means to a client. */
  DeleteOperations(ObjectStore store, Function<Exception, S3Exception> refusals) {
    this.store = store;
    this.refusals = refusals;
  }

  S3Response deleteOne(S3Request request) throws IOException {
    for (String header : UNSUPPORTED) {
      if (request.headers().contains(header)) {
        throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, "DeleteObject with " + header);
      }
    }
    String etag = request.header(HttpNames.IF_MATCH).orElse("").trim().replace("\"", "");
    Deletion deletion = delete(VersionedObject.ref(request), etag);
    S3Response response = S3Response.of(204);
    if (!deletion.versionId().isEmpty()) {
      response = response.withHeader(HttpNames.AMZ_VERSION_ID, deletion.versionId());
    }
    return deletion.isDeleteMarker()
        ? response.withHeader(HttpNames.AMZ_DELETE_MARKER, "true")
        : response;
  }

  S3Response deleteMany(S3Request request) throws IOException {
    byte[] document = RequestDocument.read(request, XML_BYTES_MAX);
    DeleteDocument wanted = DeleteDocument.parse(document);
    BucketOperations.require(store, request.bucket());
    Xml xml = Xml.document("DeleteResult");
    for (DeleteDocument.Item item : wanted.items()) {
      deleteItem(request, item, wanted.quiet(), xml);
    }
    return S3Response.xml(200, xml.finish());
  }

  private void deleteItem(S3Request request, DeleteDocument.Item item, boolean quiet, Xml xml) {
    ObjectRef ref = new ObjectRef(request.bucket(), item.key(), item.versionId());
    try {
      request.requireDelete(item.key(), item.versionId());
      Deletion deletion = delete(ref, item.etag());
      if (!quiet) {
        deleted(xml, item, deletion);
      }
    } catch (S3Exception e) {
      failed(xml, item, e);
    } catch (IOException | RuntimeException e) {
      S3Exception refusal = refusals.apply(e);
      if (refusal.code() == S3ErrorCode.INTERNAL_ERROR) {
        LOG.error("delete of {} failed, request {}", ref, request.requestId(), e);
      }
      failed(xml, item, refusal);
    }
  }

  /** A condition on what is not there deletes nothing and is no error, as a delete without one. */
  private Deletion delete(ObjectRef ref, String etag) throws IOException {
    Preconditions conditions =
        etag.isEmpty() ? Preconditions.NONE : new Preconditions(List.of(etag), List.of());
    try {
      return store.delete(ref, conditions);
    } catch (StoreException e) {
      if (e.reason() == StoreException.Reason.NO_SUCH_KEY) {
        return new Deletion(false, ref.versionId(), false);
      }
      throw e;
    }
  }

  private static void deleted(Xml xml, DeleteDocument.Item item, Deletion deletion) {
    xml.start("Deleted").text("Key", item.key());
    if (!item.versionId().isEmpty()) {
      xml.text("VersionId", item.versionId());
    }
    if (deletion.isDeleteMarker()) {
      xml.text("DeleteMarker", true).text("DeleteMarkerVersionId", deletion.versionId());
    }
    xml.end();
  }

  private static void failed(Xml xml, DeleteDocument.Item item, S3Exception refusal) {
    xml.start("Error").text("Key", item.key());
    if (!item.versionId().isEmpty()) {
      xml.text("VersionId", item.versionId());
    }
    xml.text("Code", refusal.code().code()).text("Message", refusal.getMessage()).end();
  }
}
