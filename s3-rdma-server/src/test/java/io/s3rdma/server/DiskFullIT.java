package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CORSRule;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** On a real file system that really has no more space; so only where the tests may mount one. */
@Tag("fabric")
class DiskFullIT {
  private static final String BUCKET = "full";

  @TempDir Path directory;

  /** With the reserve, and without one, where also the metadata meet the full disk. */
  @ParameterizedTest
  @ValueSource(ints = {32 << 20, 0})
  void shouldLoseNothingWhenTheDiskIsFull(int freeBytesMin) throws Exception {
    String reserve = "-Ds3rdma.store.free-bytes-min=" + freeBytesMin;
    try (KillableServer server = KillableServer.onSmallDisk(directory, 144, reserve)) {
      S3Client s3 = server.s3();
      s3.createBucket(b -> b.bucket(BUCKET));
      List<String> answered = fill(s3, "large", 3 << 20);
      answered.addAll(fill(s3, "small", 16_000));

      answered.forEach(key -> assertWhole(s3, key));
      assertThat(s3.listObjectsV2Paginator(b -> b.bucket(BUCKET)).contents())
          .hasSameSizeAs(answered);

      for (String key : answered.subList(0, 15)) {
        s3.deleteObject(b -> b.bucket(BUCKET).key(key));
      }
      put(s3, "again 3145728");
      assertWhole(s3, "again 3145728");
      answered.subList(15, answered.size()).forEach(key -> assertWhole(s3, key));
    }
  }

  /** Somebody else fills the disk to its last byte, so that the metadata meet the end of it. */
  @Test
  void shouldGoOnWhenOthersMakeRoomAgain() throws Exception {
    String reserve = "-Ds3rdma.store.free-bytes-min=0";
    try (KillableServer server = KillableServer.onSmallDisk(directory, 144, reserve)) {
      S3Client s3 = server.s3();
      s3.createBucket(b -> b.bucket(BUCKET));
      put(s3, "before 9000");
      Path other = server.seen(directory).resolve("other");
      fill(other);

      S3Exception refusal = catchThrowableOfType(S3Exception.class, () -> put(s3, "at 9000"));
      assertThat(refusal.statusCode()).isEqualTo(507);
      assertWhole(s3, "before 9000");
      growMetadataUntilRefused(s3);

      Files.delete(other);
      await(() -> put(s3, "after 9000"));
      assertWhole(s3, "before 9000");
      assertWhole(s3, "after 9000");
    }
  }

  private static void fill(Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      byte[] zeros = new byte[1 << 12];
      while (true) {
        out.write(zeros);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  /** Settings need no data, but their log grows: until the metadata cannot be written either. */
  private static void growMetadataUntilRefused(S3Client s3) {
    List<CORSRule> rules = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String origin = "https://" + "o".repeat(500) + i + ".example";
      rules.add(CORSRule.builder().allowedOrigins(origin).allowedMethods("GET").build());
    }
    for (int i = 0; i < 2_000; i++) {
      S3Exception refusal =
          catchThrowableOfType(
              S3Exception.class,
              () ->
                  s3.putBucketCors(
                      b -> b.bucket(BUCKET).corsConfiguration(c -> c.corsRules(rules))));
      if (refusal != null) {
        assertThat(refusal.statusCode()).isEqualTo(507);
        return;
      }
    }
    throw new AssertionError("the metadata never met the end of the disk");
  }

  private static void await(Runnable step) throws InterruptedException {
    for (int i = 0; i < 100; i++) {
      if (catchThrowableOfType(S3Exception.class, step::run) == null) {
        return;
      }
      Thread.sleep(100);
    }
    step.run();
  }

  /** Writes until it is refused; what was answered. */
  private static List<String> fill(S3Client s3, String name, int size) {
    List<String> answered = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      String key = name + i + " " + size;
      S3Exception refusal = catchThrowableOfType(S3Exception.class, () -> put(s3, key));
      if (refusal != null) {
        assertThat(refusal.statusCode()).isEqualTo(507);
        return answered;
      }
      answered.add(key);
    }
    throw new AssertionError("the disk never was full");
  }

  private static void put(S3Client s3, String key) {
    s3.putObject(b -> b.bucket(BUCKET).key(key), RequestBody.fromBytes(content(key)));
  }

  private static void assertWhole(S3Client s3, String key) {
    byte[] found = s3.getObjectAsBytes(b -> b.bucket(BUCKET).key(key)).asByteArray();
    assertThat(Arrays.equals(found, content(key))).as(key).isTrue();
  }

  private static byte[] content(String key) {
    byte[] content = new byte[Integer.parseInt(key.substring(key.indexOf(' ') + 1))];
    new SplittableRandom(key.hashCode()).nextBytes(content);
    return content;
  }
}
