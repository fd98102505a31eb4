package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.http.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/** The unmodified SDK with server-side encryption in each way, over HTTPS. */
class SdkEncryptionIT {
  private static final String BUCKET = "encrypted";
  private static final int PART = 5 * 1024 * 1024 + 1;

  @TempDir static Path directory;
  private static TestServer server;
  private static S3Client s3;

  /** Whose key. */
  enum Way {
    PLAIN,
    SERVER,
    A,
    B;

    private CustomerKeys key() {
      return this == A ? CustomerKeys.A : CustomerKeys.B;
    }

    private boolean isCustomers() {
      return this == A || this == B;
    }
  }

  @BeforeAll
  static void start() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory, "RSA");
    Map<String, Object> settings =
        Map.of(
            "http.tls-port",
            0,
            "http.tls.certificate-file",
            certificate.certificateFile().toString(),
            "http.tls.key-file",
            certificate.keyFile().toString());
    server = TestServer.start(directory.resolve("data"), settings);
    String port = server.endpoints().getLast().replaceAll(".*:", "");
    s3 =
        server.client(
            URI.create("https://localhost:" + port),
            UrlConnectionHttpClient.builder().tlsTrustManagersProvider(certificate::trust));
    s3.createBucket(b -> b.bucket(BUCKET));
  }

  @AfterAll
  static void stop() throws IOException {
    s3.close();
    server.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"SERVER", "A"})
  void shouldGiveBackWhenPut(Way way) {
    for (int size : new int[] {0, 1, 16_384, 16_385, 700_001}) {
      byte[] content = content(size);
      put("k", content, way);
      assertThat(get("k", way, null)).isEqualTo(content);
      if (size > 20_000) {
        assertThat(get("k", way, "bytes=16383-300000"))
            .isEqualTo(Arrays.copyOfRange(content, 16_383, 300_001));
        assertThat(get("k", way, "bytes=-7"))
            .isEqualTo(Arrays.copyOfRange(content, size - 7, size));
      }
    }
  }

  /** A customer's key that could be read on the way is not taken, and nothing is stored. */
  @Test
  void shouldRefuseACustomersKeyWhenItComesInClear() {
    try (S3Client clear = server.client()) {
      PutObjectRequest put = asked(PutObjectRequest.builder().bucket(BUCKET).key("clear"), Way.A);
      assertThatThrownBy(() -> clear.putObject(put, RequestBody.fromString("x")))
          .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(400))
          .hasMessageContaining("HTTPS");
      assertThatThrownBy(() -> clear.headObject(b -> b.bucket(BUCKET).key("clear")))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
      clear.putObject(
          b -> b.bucket(BUCKET).key("ours").serverSideEncryption(ServerSideEncryption.AES256),
          RequestBody.fromString("x"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN, A",
    "PLAIN, SERVER",
    "SERVER, PLAIN",
    "SERVER, A",
    "A, A",
    "A, B",
    "A, SERVER",
    "A, PLAIN",
    "SERVER, SERVER",
    "PLAIN, PLAIN"
  })
  void shouldCopyBetweenAllWays(Way from, Way to) {
    byte[] small = content(9);
    byte[] large = content(100_000);
    put("small", small, from);
    put("large", large, from);
    for (String key : List.of("small", "large")) {
      CopyObjectRequest.Builder copy =
          CopyObjectRequest.builder()
              .sourceBucket(BUCKET)
              .sourceKey(key)
              .destinationBucket(BUCKET)
              .destinationKey(key + " copy");
      if (from.isCustomers()) {
        copy.copySourceSSECustomerAlgorithm("AES256")
            .copySourceSSECustomerKey(from.key().key())
            .copySourceSSECustomerKeyMD5(from.key().md5());
      }
      if (to.isCustomers()) {
        copy.sseCustomerAlgorithm("AES256")
            .sseCustomerKey(to.key().key())
            .sseCustomerKeyMD5(to.key().md5());
      } else if (to == Way.SERVER) {
        copy.serverSideEncryption(ServerSideEncryption.AES256);
      }
      s3.copyObject(copy.build());
      s3.deleteObject(b -> b.bucket(BUCKET).key(key));
    }
    assertThat(get("small copy", to, null)).isEqualTo(small);
    assertThat(get("large copy", to, null)).isEqualTo(large);
    if (to == Way.A) {
      assertThatThrownBy(() -> get("large copy", Way.B, null)).isInstanceOf(S3Exception.class);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Way.class,
      names = {"SERVER", "A"})
  void shouldGiveBackWhenUploadedInParts(Way way) {
    byte[] content = content(PART + 100_000);
    CreateMultipartUploadRequest.Builder create =
        CreateMultipartUploadRequest.builder().bucket(BUCKET).key("parts");
    if (way == Way.A) {
      create
          .sseCustomerAlgorithm("AES256")
          .sseCustomerKey(way.key().key())
          .sseCustomerKeyMD5(way.key().md5());
    } else {
      create.serverSideEncryption(ServerSideEncryption.AES256);
    }
    String id = s3.createMultipartUpload(create.build()).uploadId();
    List<CompletedPart> parts = new ArrayList<>();
    for (int number = 1; number <= 2; number++) {
      byte[] part =
          Arrays.copyOfRange(content, number == 1 ? 0 : PART, number == 1 ? PART : content.length);
      UploadPartRequest.Builder upload =
          UploadPartRequest.builder().bucket(BUCKET).key("parts").uploadId(id).partNumber(number);
      if (way == Way.A) {
        upload
            .sseCustomerAlgorithm("AES256")
            .sseCustomerKey(way.key().key())
            .sseCustomerKeyMD5(way.key().md5());
      }
      String etag = s3.uploadPart(upload.build(), RequestBody.fromBytes(part)).eTag();
      parts.add(CompletedPart.builder().partNumber(number).eTag(etag).build());
    }
    s3.completeMultipartUpload(
        b -> b.bucket(BUCKET).key("parts").uploadId(id).multipartUpload(m -> m.parts(parts)));

    assertThat(get("parts", way, null)).isEqualTo(content);
    assertThat(get("parts", way, "bytes=" + (PART - 5) + "-" + (PART + 20)))
        .isEqualTo(Arrays.copyOfRange(content, PART - 5, PART + 21));
  }

  // ---- steps ----

  private static void put(String key, byte[] content, Way way) {
    PutObjectRequest put = asked(PutObjectRequest.builder().bucket(BUCKET).key(key), way);
    s3.putObject(put, RequestBody.fromBytes(content));
  }

  private static PutObjectRequest asked(PutObjectRequest.Builder put, Way way) {
    if (way.isCustomers()) {
      put.sseCustomerAlgorithm("AES256")
          .sseCustomerKey(way.key().key())
          .sseCustomerKeyMD5(way.key().md5());
    } else if (way == Way.SERVER) {
      put.serverSideEncryption(ServerSideEncryption.AES256);
    }
    return put.build();
  }

  private static byte[] get(String key, Way way, String range) {
    GetObjectRequest.Builder get = GetObjectRequest.builder().bucket(BUCKET).key(key).range(range);
    if (way.isCustomers()) {
      get.sseCustomerAlgorithm("AES256")
          .sseCustomerKey(way.key().key())
          .sseCustomerKeyMD5(way.key().md5());
    }
    return s3.getObjectAsBytes(get.build()).asByteArray();
  }

  private static byte[] content(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    return content;
  }
}
