package io.s3rdma.server.http;

/** The chain of chunk signatures: each is over the one before. Not thread-safe. */
final class ChunkSigner {
  private final byte[] key;
  private final String stamp;
  private final String scope;
  private String previous;

  ChunkSigner(byte[] key, String stamp, String scope, String seedSignature) {
    this.key = key.clone();
    this.stamp = stamp;
    this.scope = scope;
    this.previous = seedSignature;
  }

  void verifyChunk(String dataSha256, String signature) {
    String hashes = Crypto.EMPTY_SHA256 + '\n' + dataSha256;
    verify("AWS4-HMAC-SHA256-PAYLOAD", hashes, signature, "a chunk's signature does not match");
  }

  void verifyTrailer(String trailerSha256, String signature) {
    verify(
        "AWS4-HMAC-SHA256-TRAILER",
        trailerSha256,
        signature,
        "the trailer's signature does not match");
  }

  private void verify(String kind, String hashes, String signature, String refusal) {
    String toSign = kind + '\n' + stamp + '\n' + scope + '\n' + previous + '\n' + hashes;
    String expected = Crypto.hex(Crypto.hmac(key, toSign));
    if (!Crypto.sameInConstantTime(expected, signature)) {
      throw new S3Exception(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH, refusal);
    }
    previous = signature;
  }
}
