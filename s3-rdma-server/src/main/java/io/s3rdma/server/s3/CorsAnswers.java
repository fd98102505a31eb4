package io.s3rdma.server.s3;

import io.s3rdma.server.document.CorsRules;
import io.s3rdma.server.http.CorsPolicy;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.store.ObjectStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Answers browsers by the CORS rules that the store keeps for a bucket. */
public final class CorsAnswers implements CorsPolicy {
  private final ObjectStore store;

  public CorsAnswers(ObjectStore store) {
    this.store = store;
  }

  @Override
  public Optional<Headers> answer(
      String bucket, String origin, String method, List<String> requestHeaders) throws IOException {
    return bucket.isEmpty()
        ? Optional.empty()
        : store
            .bucket(bucket)
            .flatMap(CorsRules::of)
            .flatMap(rules -> rules.answer(origin, method, requestHeaders));
  }
}
