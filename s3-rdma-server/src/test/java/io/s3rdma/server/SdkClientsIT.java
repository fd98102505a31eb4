package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.services.s3.model.ChecksumMode;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.DeletedObject;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The same calls by each of the SDK's unmodified clients, with its defaults. */
class SdkClientsIT {
  private static final int LARGE_BYTES = 20 << 20;
  private static final int MANY_KEYS = 1000;

  @TempDir static Path directory;
  private static final Map<SdkFlavour, SdkCalls> CLIENTS = new EnumMap<>(SdkFlavour.class);
  private static TestServer server;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    for (SdkFlavour flavour : SdkFlavour.values()) {
      CLIENTS.put(flavour, flavour.open(server));
      CLIENTS.get(flavour).createBucket(bucket(flavour));
    }
  }

  @AfterAll
  static void stop() throws IOException {
    CLIENTS.values().forEach(SdkCalls::close);
    CLIENTS.clear();
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void shouldGiveBackWhenObjectIsSmall(SdkFlavour flavour) {
    SdkCalls s3 = CLIENTS.get(flavour);
    byte[] content = "small content".getBytes(StandardCharsets.UTF_8);

    PutObjectResponse put =
        s3.put(
            putOf(flavour, "small").toBuilder()
                .contentType("text/plain")
                .metadata(Map.of("name", "value"))
                .build(),
            content);

    HeadObjectResponse head = s3.head(headOf(flavour, "small"));
    ResponseBytes<GetObjectResponse> got = s3.get(getOf(flavour, "small"));
    assertThat(got.asByteArray()).isEqualTo(content);
    assertThat(got.response().eTag()).isEqualTo(put.eTag());
    assertThat(head.eTag()).isEqualTo(put.eTag());
    assertThat(head.contentLength()).isEqualTo(content.length);
    assertThat(head.contentType()).isEqualTo("text/plain");
    assertThat(head.metadata()).containsEntry("name", "value");
    s3.delete(deleteOf(flavour, "small"));
    // The native client asks by HEAD, whose answer cannot name the error.
    assertThatThrownBy(() -> s3.get(getOf(flavour, "small")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
  }

  /** The sum went up in a trailer; a client that compares it with what it read has to find it. */
  @ParameterizedTest
  @EnumSource
  void shouldKeepChecksumWhenClientMadeOne(SdkFlavour flavour) {
    SdkCalls s3 = CLIENTS.get(flavour);
    PutObjectResponse put = s3.put(putOf(flavour, "sum"), random(100_000));

    HeadObjectResponse head =
        s3.head(headOf(flavour, "sum").toBuilder().checksumMode(ChecksumMode.ENABLED).build());

    assertThat(put.checksumCRC32()).isNotBlank();
    assertThat(head.checksumCRC32()).isEqualTo(put.checksumCRC32());
  }

  /**
   * The native client asks for a range first and needs ETag and real size. Not with the SDK's
   * download in parts: its future never ends on the answer of length 0 that others are content
   * with.
   */
  @ParameterizedTest
  @EnumSource(names = "ASYNC_PARTS", mode = EnumSource.Mode.EXCLUDE)
  void shouldGiveBackWhenObjectIsEmpty(SdkFlavour flavour) {
    SdkCalls s3 = CLIENTS.get(flavour);
    PutObjectResponse put = s3.put(putOf(flavour, "empty"), new byte[0]);

    ResponseBytes<GetObjectResponse> got = s3.get(getOf(flavour, "empty"));

    assertThat(got.asByteArray()).isEmpty();
    assertThat(got.response().eTag()).isEqualTo(put.eTag());
    assertThat(s3.head(headOf(flavour, "empty")).contentLength()).isZero();
    assertThatThrownBy(() -> s3.get(getOf(flavour, "empty").toBuilder().range("bytes=0-0").build()))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(416));
  }

  @ParameterizedTest
  @EnumSource
  void shouldGivePartWhenRangeIsAsked(SdkFlavour flavour) {
    SdkCalls s3 = CLIENTS.get(flavour);
    byte[] content = random(300_000);
    s3.put(putOf(flavour, "range"), content);

    assertThat(range(flavour, "bytes=0-0")).containsExactly(content[0]);
    assertThat(range(flavour, "bytes=1000-199999")).isEqualTo(slice(content, 1000, 200_000));
    assertThat(range(flavour, "bytes=299990-400000")).isEqualTo(slice(content, 299_990, 300_000));
    assertThat(range(flavour, "bytes=-5")).isEqualTo(slice(content, 299_995, 300_000));
    assertThat(range(flavour, "bytes=299999-")).isEqualTo(slice(content, 299_999, 300_000));
  }

  /** In parts where the client splits it, up and down. */
  @ParameterizedTest
  @EnumSource
  void shouldGiveBackWhenObjectIsLarge(SdkFlavour flavour) {
    SdkCalls s3 = CLIENTS.get(flavour);
    byte[] content = random(LARGE_BYTES);

    PutObjectResponse put = s3.put(putOf(flavour, "large"), content);

    ResponseBytes<GetObjectResponse> got = s3.get(getOf(flavour, "large"));
    assertThat(got.asByteArray()).isEqualTo(content);
    assertThat(got.response().eTag()).isEqualTo(put.eTag());
    assertThat(s3.head(headOf(flavour, "large")).contentLength()).isEqualTo(LARGE_BYTES);
    s3.delete(deleteOf(flavour, "large"));
  }

  @ParameterizedTest
  @EnumSource
  void shouldDeleteAllWhenThousandKeysAreNamed(SdkFlavour flavour) {
    SdkCalls s3 = CLIENTS.get(flavour);
    List<String> keys = IntStream.range(0, MANY_KEYS).mapToObj("many/%04d &<é"::formatted).toList();
    keys.forEach(key -> s3.put(putOf(flavour, key), new byte[] {1}));
    ListObjectsV2Request listing =
        ListObjectsV2Request.builder().bucket(bucket(flavour)).prefix("many/").build();
    assertThat(s3.list(listing).contents()).extracting(S3Object::key).isEqualTo(keys);

    List<DeletedObject> deleted =
        s3.deleteMany(
                DeleteObjectsRequest.builder()
                    .bucket(bucket(flavour))
                    .delete(Delete.builder().objects(identifiers(keys)).build())
                    .build())
            .deleted();

    assertThat(deleted).extracting(DeletedObject::key).isEqualTo(keys);
    assertThat(s3.list(listing).contents()).isEmpty();
  }

  private static String bucket(SdkFlavour flavour) {
    return "flavour-" + flavour.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static PutObjectRequest putOf(SdkFlavour flavour, String key) {
    return PutObjectRequest.builder().bucket(bucket(flavour)).key(key).build();
  }

  private static GetObjectRequest getOf(SdkFlavour flavour, String key) {
    return GetObjectRequest.builder().bucket(bucket(flavour)).key(key).build();
  }

  private static HeadObjectRequest headOf(SdkFlavour flavour, String key) {
    return HeadObjectRequest.builder().bucket(bucket(flavour)).key(key).build();
  }

  private static DeleteObjectRequest deleteOf(SdkFlavour flavour, String key) {
    return DeleteObjectRequest.builder().bucket(bucket(flavour)).key(key).build();
  }

  private static byte[] range(SdkFlavour flavour, String range) {
    return CLIENTS
        .get(flavour)
        .get(getOf(flavour, "range").toBuilder().range(range).build())
        .asByteArray();
  }

  private static byte[] slice(byte[] content, int from, int to) {
    return Arrays.copyOfRange(content, from, to);
  }

  private static List<ObjectIdentifier> identifiers(List<String> keys) {
    return keys.stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList();
  }

  private static byte[] random(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    return content;
  }
}
