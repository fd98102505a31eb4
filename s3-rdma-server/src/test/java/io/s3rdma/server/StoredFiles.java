package io.s3rdma.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/** How many data files there are, and how many there must be by what the server lists. */
final class StoredFiles {
  private static final long INLINE_BYTES_MAX = 16384;

  private StoredFiles() {}

  static long of(Path directory) throws IOException {
    long count = 0;
    for (String part : new String[] {"objects", "tmp"}) {
      try (Stream<Path> files = Files.walk(directory.resolve(part))) {
        count += files.filter(Files::isRegularFile).count();
      }
    }
    return count;
  }

  /** For objects of at most one part. */
  static long named(S3Client s3, String bucket) {
    long count = 0;
    for (S3Object object : s3.listObjectsV2Paginator(b -> b.bucket(bucket)).contents()) {
      boolean file = object.size() > INLINE_BYTES_MAX || object.eTag().contains("-");
      count += file ? 1 : 0;
    }
    for (MultipartUpload upload : s3.listMultipartUploads(b -> b.bucket(bucket)).uploads()) {
      count +=
          s3.listParts(b -> b.bucket(bucket).key(upload.key()).uploadId(upload.uploadId()))
              .parts()
              .size();
    }
    return count;
  }
}
