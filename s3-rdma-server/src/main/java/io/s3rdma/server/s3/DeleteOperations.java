package io.s3rdma.server.s3;

import io.s3rdma.server.http.ChecksumVerifier;
import io.s3rdma.server.http.HttpNames;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** DeleteObject and DeleteObjects. */
final class DeleteOperations {
  private static final Logger LOG = LoggerFactory.getLogger(DeleteOperations.class);
  private static final int XML_BYTES_MAX = 4 << 20;

  private final ObjectStore store;

  DeleteOperations(ObjectStore store) {
    this.store = store;
  }

  S3Response deleteOne(S3Request request) throws IOException {
    if (request.headers().contains(HttpNames.IF_MATCH)) {
      throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, "DeleteObject with If-Match");
    }
    store.delete(ObjectRef.current(request.bucket(), request.key()));
    return S3Response.of(204);
  }

  S3Response deleteMany(S3Request request) throws IOException {
    ChecksumVerifier checksum = ChecksumVerifier.forRequest(request.headers());
    byte[] document = request.body().readAll(XML_BYTES_MAX);
    checksum.update(ByteBuffer.wrap(document));
    checksum.verify(request.body().trailers(), md5(document));
    DeleteDocument wanted = DeleteDocument.parse(document);
    if (store.bucket(request.bucket()).isEmpty()) {
      throw new S3Exception(S3ErrorCode.NO_SUCH_BUCKET).withDetail("BucketName", request.bucket());
    }
    Xml xml = Xml.document("DeleteResult");
    for (String key : wanted.keys()) {
      deleteOne(request, key, wanted.quiet(), xml);
    }
    return S3Response.xml(200, xml.finish());
  }

  private void deleteOne(S3Request request, String key, boolean quiet, Xml xml) {
    String bucket = request.bucket();
    try {
      request.requireWrite(bucket, key);
      store.delete(ObjectRef.current(bucket, key));
      if (!quiet) {
        xml.start("Deleted").text("Key", key).end();
      }
    } catch (S3Exception e) {
      error(xml, key, e.code());
    } catch (IOException e) {
      LOG.error("delete of {}/{} failed", bucket, key, e);
      error(xml, key, S3ErrorCode.INTERNAL_ERROR);
    }
  }

  private static void error(Xml xml, String key, S3ErrorCode code) {
    xml.start("Error")
        .text("Key", key)
        .text("Code", code.code())
        .text("Message", code.text())
        .end();
  }

  private static byte[] md5(byte[] document) {
    try {
      return MessageDigest.getInstance("MD5").digest(document);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no MD5", e);
    }
  }
}
