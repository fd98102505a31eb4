package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.s3rdma.rdma.HostBuffer;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** With and without the SDK a call gives the same result, object and exception. */
final class LeanCallsTest {
  private static final int BYTES = 70_000;

  private Lab lab;
  private S3RdmaClient lean;
  private S3RdmaClient sdk;

  @BeforeEach
  void start() throws Exception {
    lab = new Lab();
    lean = lab.builder().leanHttp(true).build();
    sdk = lab.builder().leanHttp(false).build();
  }

  @AfterEach
  void stop() throws Exception {
    lean.close();
    sdk.close();
    lab.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"plain", "a b+c%25&=?#", "/slashes//in/../it", "ünï/\u4e2d", "tilde~'()*!$,;:@"})
  void shouldStoreAndReadTheSameWhateverTheKey(String key) {
    try (HostBuffer source = TransferContractTest.random(BYTES, 1);
        HostBuffer target = HostBuffer.allocate(BYTES)) {
      TransferResult put = lean.putObject(Lab.BUCKET, key, source);
      HeadObjectResponse byLean = head(key);
      TransferResult read = sdk.getObject(Lab.BUCKET, key, target);
      assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);

      TransferResult again = sdk.putObject(Lab.BUCKET, key, source);
      HeadObjectResponse bySdk = head(key);
      target.segment().fill((byte) 0);
      TransferResult readLean = lean.getObject(Lab.BUCKET, key, target);
      assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);

      assertThat(List.of(put.verdict(), read.verdict(), again.verdict(), readLean.verdict()))
          .containsOnly("exact");
      assertThat(byLean.contentType()).isEqualTo(bySdk.contentType());
      assertThat(byLean.metadata()).isEqualTo(bySdk.metadata());
      assertThat(byLean.checksumCRC32C()).isNotNull().isEqualTo(bySdk.checksumCRC32C());
      assertThat(put.etag()).isEqualTo(byLean.eTag());
      assertThat(readLean.etag()).isEqualTo(bySdk.eTag());
    }
  }

  private HeadObjectResponse head(String key) {
    return lab.client().s3().headObject(b -> b.bucket(Lab.BUCKET).key(key).checksumMode("ENABLED"));
  }

  @Test
  void shouldSayTheSameOfARange() {
    try (HostBuffer source = TransferContractTest.random(BYTES, 2);
        HostBuffer target = HostBuffer.allocate(BYTES)) {
      lean.putObject(Lab.BUCKET, "k", source);
      ByteRange range = new ByteRange(17, 5000);
      assertThat(lean.getObject(Lab.BUCKET, "k", range, target))
          .usingRecursiveComparison()
          .isEqualTo(sdk.getObject(Lab.BUCKET, "k", range, target));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "lab, absent, 404",
    "absent-bucket, k, 404",
    "lab, k, 416",
    "Not_A_Bucket, k, 404",
  })
  void shouldThrowWhatTheSdkThrows(String bucket, String key, int status) {
    try (HostBuffer buffer = TransferContractTest.random(BYTES, 3)) {
      lean.putObject(Lab.BUCKET, "k", buffer);
      ByteRange range = new ByteRange(status == 416 ? BYTES : 0, 10);
      Throwable byLean = catchThrowable(() -> lean.getObject(bucket, key, range, buffer));
      Throwable bySdk = catchThrowable(() -> sdk.getObject(bucket, key, range, buffer));

      assertThat(byLean).hasSameClassAs(bySdk);
      if (bySdk instanceof S3Exception expected) {
        S3Exception thrown = (S3Exception) byLean;
        assertThat(thrown.statusCode()).isEqualTo(expected.statusCode()).isEqualTo(status);
        assertThat(thrown.awsErrorDetails().errorCode())
            .isEqualTo(expected.awsErrorDetails().errorCode());
        assertThat(thrown.awsErrorDetails().errorMessage())
            .isEqualTo(expected.awsErrorDetails().errorMessage());
        assertThat(thrown.requestId()).isNotEmpty().isNotEqualTo(expected.requestId());
      }
    }
  }

  @Test
  void shouldThrowWhatTheSdkThrowsForAWrongSecret() {
    try (S3RdmaClient good = lab.builder().build();
        HostBuffer buffer = TransferContractTest.random(BYTES, 3)) {
      good.putObject(Lab.BUCKET, "k", buffer);
      // Under PREFER, so that the refused connect does not come first.
      S3RdmaClientBuilder wrong =
          lab.builder().credentials(Lab.ACCESS_KEY, "wrong").policy(RdmaPolicy.PREFER);
      try (S3RdmaClient a = wrong.leanHttp(true).build();
          S3RdmaClient b = wrong.leanHttp(false).build()) {
        Throwable byLean = catchThrowable(() -> a.putObject(Lab.BUCKET, "k", buffer));
        Throwable bySdk = catchThrowable(() -> b.putObject(Lab.BUCKET, "k", buffer));
        assertThat(byLean).isInstanceOf(S3Exception.class).hasSameClassAs(bySdk);
      }
    }
  }

  @Test
  void shouldTakeOnlyWhatItCanSay() {
    LeanCalls calls = new LeanCalls(null, null, null);
    GetObjectRequest get = GetObjectRequest.builder().bucket("bucket").key("k").build();
    PutObjectRequest put = PutObjectRequest.builder().bucket("bucket").key("k").build();

    assertThat(calls.takes(get)).isTrue();
    assertThat(calls.takes(get.toBuilder().range("bytes=0-1").build())).isTrue();
    assertThat(calls.takes(put)).isTrue();
    assertThat(calls.takes(get.toBuilder().ifMatch("x").build())).isFalse();
    assertThat(calls.takes(get.toBuilder().versionId("x").build())).isFalse();
    assertThat(calls.takes(get.toBuilder().key("").build())).isFalse();
    assertThat(calls.takes(get.toBuilder().bucket("arn:aws:s3:x").build())).isFalse();
    assertThat(calls.takes(get.toBuilder().bucket("b--usw2-az1--x-s3").build())).isFalse();
    assertThat(calls.takes(put.toBuilder().metadata(Map.of("a", "b")).build())).isFalse();
    assertThat(calls.takes(put.toBuilder().contentType("text/plain").build())).isFalse();
    assertThat(
            calls.takes(put.toBuilder().overrideConfiguration(c -> c.putHeader("a", "b")).build()))
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "http://10.9.0.1:9000, true",
    "http://10.9.0.1:9000/, true",
    "https://10.9.0.1:9000, false",
    "http://user@10.9.0.1:9000, false",
    "http://10.9.0.1:9000/prefix, false",
  })
  void shouldLeaveToTheSdkWhatOnlyItReaches(URI endpoint, boolean reached) {
    assertThat(LeanCalls.reaches(endpoint)).isEqualTo(reached);
  }
}
