package io.s3rdma.server.s3;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.http.S3Exception;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketNamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ab",
        "Upper",
        "under_score",
        "192.168.1.1",
        "a..b",
        "-abc",
        "abc-",
        "a.-b",
        "..."
      })
  void shouldRefuseWhenNameIsInvalid(String name) {
    assertThatThrownBy(() -> BucketNames.requireValid(name)).isInstanceOf(S3Exception.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "0bc", "a-b.c", "my.bucket", "1.2.3"})
  void shouldAcceptWhenNameIsValid(String name) {
    assertThatCode(() -> BucketNames.requireValid(name)).doesNotThrowAnyException();
  }
}
