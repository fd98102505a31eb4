package io.s3rdma.server;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/**
 * Writes, overwrites, copies and deletes keys that nobody else touches, and knows what must be
 * under each: what the last answered operation left or, if the last one was not answered, what it
 * would have left.
 */
final class KeyWriter {
  static final String BUCKET = "killed";
  private static final int KEYS = 12;
  private static final int NOTHING = -1;

  private final String prefix;
  private final SplittableRandom random;
  private final Map<String, Integer> answered = new HashMap<>();
  private final Map<String, Integer> open = new HashMap<>();
  private int last;

  KeyWriter(String prefix, long seed) {
    this.prefix = prefix;
    this.random = new SplittableRandom(seed);
  }

  /** Works until the server is gone; the number of answered operations. */
  long run(S3Client s3, BooleanSupplier isKilled) {
    long count = 0;
    while (true) {
      String key = prefix + "/" + random.nextInt(KEYS);
      try {
        step(s3, key);
        count++;
      } catch (SdkException e) {
        if (isKilled.getAsBoolean()) {
          return count;
        }
        throw e;
      }
    }
  }

  private void step(S3Client s3, String key) {
    switch (random.nextInt(10)) {
      case 0, 1 -> delete(s3, key);
      case 2, 3 -> multipart(s3, key);
      case 4, 5 -> copy(s3, key);
      case 6, 7 -> put(s3, key, random.nextInt(16_000));
      default -> put(s3, key, 16_385 + random.nextInt(400_000));
    }
  }

  private void put(S3Client s3, String key, int size) {
    int id = begin(key, size);
    ServerSideEncryption encryption = encryption();
    s3.putObject(
        b -> b.bucket(BUCKET).key(key).serverSideEncryption(encryption),
        RequestBody.fromBytes(content(id)));
    end(key, id);
  }

  private void multipart(S3Client s3, String key) {
    int id = ++last << 4;
    byte[] bytes = content(id);
    ServerSideEncryption encryption = encryption();
    String upload =
        s3.createMultipartUpload(b -> b.bucket(BUCKET).key(key).serverSideEncryption(encryption))
            .uploadId();
    String etag =
        s3.uploadPart(
                b -> b.bucket(BUCKET).key(key).uploadId(upload).partNumber(1),
                RequestBody.fromBytes(bytes))
            .eTag();
    open.put(key, id);
    CompletedPart part = CompletedPart.builder().partNumber(1).eTag(etag).build();
    s3.completeMultipartUpload(
        b -> b.bucket(BUCKET).key(key).uploadId(upload).multipartUpload(m -> m.parts(part)));
    end(key, id);
  }

  /** Half of all is encrypted; copies are not, so that theirs are written anew. */
  private ServerSideEncryption encryption() {
    return random.nextBoolean() ? ServerSideEncryption.AES256 : null;
  }

  private void copy(S3Client s3, String key) {
    String source = prefix + "/" + random.nextInt(KEYS);
    Integer id = answered.get(source);
    if (id == null || id == NOTHING || source.equals(key)) {
      return;
    }
    open.put(key, id);
    s3.copyObject(
        b ->
            b.sourceBucket(BUCKET).sourceKey(source).destinationBucket(BUCKET).destinationKey(key));
    end(key, id);
  }

  private void delete(S3Client s3, String key) {
    open.put(key, NOTHING);
    s3.deleteObject(b -> b.bucket(BUCKET).key(key));
    end(key, NOTHING);
  }

  private int begin(String key, int size) {
    // The id says how many bytes there are, so that an id is all that must be kept.
    int id = ++last << 4 | (size > 16_384 ? 1 : 2);
    open.put(key, id);
    return id;
  }

  private void end(String key, int id) {
    answered.put(key, id);
    open.remove(key);
  }

  private static byte[] content(int id) {
    SplittableRandom bytes = new SplittableRandom(id);
    int size =
        switch (id & 15) {
          case 1 -> 16_385 + bytes.nextInt(400_000);
          case 2 -> bytes.nextInt(16_000);
          default -> 1 + bytes.nextInt(200_000);
        };
    byte[] content = new byte[size];
    bytes.nextBytes(content);
    return content;
  }

  /** What is wrong, for each key; afterwards what is there counts as answered. */
  Map<String, String> verify(S3Client s3) {
    Map<String, String> wrong = new HashMap<>();
    for (int i = 0; i < KEYS; i++) {
      String key = prefix + "/" + i;
      int before = answered.getOrDefault(key, NOTHING);
      int after = open.getOrDefault(key, before);
      Optional<byte[]> found = read(s3, key);
      if (matches(found, after)) {
        answered.put(key, after);
      } else if (!matches(found, before)) {
        wrong.put(key, found.map(b -> "holds " + head(b)).orElse("is lost") + ", not " + before);
      }
    }
    open.clear();
    return wrong;
  }

  private static boolean matches(Optional<byte[]> found, int id) {
    return id == NOTHING
        ? found.isEmpty()
        : found.isPresent() && Arrays.equals(found.get(), content(id));
  }

  private static Optional<byte[]> read(S3Client s3, String key) {
    try {
      return Optional.of(s3.getObjectAsBytes(b -> b.bucket(BUCKET).key(key)).asByteArray());
    } catch (NoSuchKeyException e) {
      return Optional.empty();
    }
  }

  private static String head(byte[] bytes) {
    return bytes.length
        + " bytes "
        + (bytes.length < Long.BYTES ? "" : Long.toHexString(ByteBuffer.wrap(bytes).getLong()));
  }
}
