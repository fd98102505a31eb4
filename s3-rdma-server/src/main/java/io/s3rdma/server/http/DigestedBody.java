package io.s3rdma.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/** A body whose SHA-256 was signed; checked at its end. */
final class DigestedBody implements RequestBody {
  private final RequestBody raw;
  private final String expected;
  private final MessageDigest digest = Crypto.digest("SHA-256");
  private boolean verified;

  DigestedBody(RequestBody raw, String expected) {
    this.raw = raw;
    this.expected = expected;
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    int start = dst.position();
    int count = raw.read(dst);
    if (count >= 0) {
      digest.update(dst.slice(start, count));
    } else if (!verified) {
      verified = true;
      if (!Crypto.sameInConstantTime(Crypto.hex(digest.digest()), expected)) {
        throw new S3Exception(S3ErrorCode.X_AMZ_CONTENT_SHA256_MISMATCH);
      }
    }
    return count;
  }
}
