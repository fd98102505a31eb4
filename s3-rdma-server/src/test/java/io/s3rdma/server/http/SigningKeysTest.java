package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SigningKeysTest {
  private final SigningKeys keys = new SigningKeys();

  @Test
  void shouldGiveWhatTheSecretAndTheDayGiveEachTime() {
    AccessKey one = key("secret");
    for (String date : List.of("20260101", "20260102", "20260101")) {
      assertThat(keys.of(one, scope(date)))
          .isEqualTo(Crypto.signingKey("secret", date, "us-east-1", "s3"));
    }
  }

  @Test
  void shouldGiveNothingOfAKeyThatWasReplaced() {
    keys.of(key("secret"), scope("20260101"));

    assertThat(keys.of(key("other"), scope("20260101")))
        .isEqualTo(Crypto.signingKey("other", "20260101", "us-east-1", "s3"));
  }

  private static AccessKey key(String secret) {
    return new AccessKey("AKID", secret, Account.DEFAULT, List.of(Grant.ALL));
  }

  private static CredentialScope scope(String date) {
    return new CredentialScope("AKID", date, "us-east-1", "s3");
  }
}
