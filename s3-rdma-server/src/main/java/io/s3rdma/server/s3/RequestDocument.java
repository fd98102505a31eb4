package io.s3rdma.server.s3;

import io.s3rdma.server.http.ChecksumVerifier;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Request;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The document in a request's body. */
final class RequestDocument {
  private RequestDocument() {}

  /** Reads it all, against whatever checksum the request gives for it. */
  static byte[] read(S3Request request, int bytesMax) throws IOException {
    return read(request, bytesMax, S3ErrorCode.MALFORMED_XML);
  }

  /** The same for a document that is no XML, with what a longer one is answered. */
  static byte[] read(S3Request request, int bytesMax, S3ErrorCode tooLong) throws IOException {
    ChecksumVerifier checksum = ChecksumVerifier.forRequest(request.headers());
    byte[] document = request.body().readAll(bytesMax, tooLong);
    checksum.update(ByteBuffer.wrap(document));
    checksum.verify(request.body().trailers(), md5(document));
    return document;
  }

  private static byte[] md5(byte[] document) {
    try {
      return MessageDigest.getInstance("MD5").digest(document);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this JDK has no MD5", e);
    }
  }
}
