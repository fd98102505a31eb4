package io.s3rdma.server.s3;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.util.regex.Pattern;

/** S3's rules for names of new buckets. */
final class BucketNames {
  private static final Pattern VALID = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");
  private static final Pattern ADDRESS = Pattern.compile("[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+");

  private BucketNames() {}

  static void requireValid(String name) {
    boolean valid =
        VALID.matcher(name).matches()
            && !ADDRESS.matcher(name).matches()
            && !name.contains("..")
            && !name.contains(".-")
            && !name.contains("-.");
    if (!valid) {
      throw new S3Exception(S3ErrorCode.INVALID_BUCKET_NAME).withDetail("BucketName", name);
    }
  }
}
