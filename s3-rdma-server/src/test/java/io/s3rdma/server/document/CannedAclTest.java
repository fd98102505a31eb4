package io.s3rdma.server.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CannedAclTest {
  @Test
  void shouldKeepNameWhenStored() {
    for (CannedAcl acl : CannedAcl.values()) {
      assertThat(CannedAcl.ofHeaders(Headers.of("x-amz-acl", acl.text()))).isEqualTo(acl);
      assertThat(CannedAcl.ofStored(acl.stored())).isEqualTo(acl);
    }
    assertThat(CannedAcl.ofHeaders(Headers.EMPTY)).isEqualTo(CannedAcl.PRIVATE);
    assertThat(CannedAcl.PRIVATE.stored()).isEmpty();
    assertThat(CannedAcl.PUBLIC_READ_WRITE.stored()).isEqualTo("public-read-write");
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-acl, log-delivery-write, NOT_IMPLEMENTED",
    "x-amz-acl, aws-exec-read, NOT_IMPLEMENTED",
    "x-amz-acl, public, INVALID_ARGUMENT",
    "x-amz-acl, PRIVATE, INVALID_ARGUMENT",
    "x-amz-grant-read, id=someone, NOT_IMPLEMENTED"
  })
  void shouldRefuseWhenNotCanned(String name, String value, S3ErrorCode code) {
    assertThatThrownBy(() -> CannedAcl.ofHeaders(Headers.of(name, value)))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
