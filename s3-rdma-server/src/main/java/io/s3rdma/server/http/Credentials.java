package io.s3rdma.server.http;

import java.util.Map;
import java.util.Optional;

/** Access keys and their secrets; never shows a secret. */
public final class Credentials {
  private final Map<String, String> secretsByAccessKey;

  public Credentials(Map<String, String> secretsByAccessKey) {
    this.secretsByAccessKey = Map.copyOf(secretsByAccessKey);
  }

  Optional<String> secretOf(String accessKey) {
    return Optional.ofNullable(secretsByAccessKey.get(accessKey));
  }

  @Override
  public String toString() {
    return "Credentials" + secretsByAccessKey.keySet();
  }
}
