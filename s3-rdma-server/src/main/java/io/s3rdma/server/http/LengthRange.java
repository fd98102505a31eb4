package io.s3rdma.server.http;

/** How many bytes a form's file may have. */
record LengthRange(long min, long max) {
  static final LengthRange ANY = new LengthRange(0, Long.MAX_VALUE);

  /** What both allow, which may be nothing. */
  LengthRange and(LengthRange other) {
    long least = Math.max(min, other.min);
    long most = Math.min(max, other.max);
    return new LengthRange(least, most);
  }

  /** Of what there is at least so much. */
  void requireNotAbove(long bytes) {
    if (bytes > max) {
      throw new S3Exception(S3ErrorCode.ENTITY_TOO_LARGE)
          .withDetail("ProposedSize", Long.toString(bytes))
          .withDetail("MaxSizeAllowed", Long.toString(max));
    }
  }

  /** Of what there is at most so much. */
  void requireNotBelow(long bytes) {
    if (bytes < min) {
      throw new S3Exception(
              S3ErrorCode.ENTITY_TOO_SMALL, "The file is smaller than the policy of the form asks")
          .withDetail("ProposedSize", Long.toString(bytes))
          .withDetail("MinSizeAllowed", Long.toString(min));
    }
  }
}
