package io.s3rdma.server;

import java.util.Map;

/** Settings of the section {@code auth}; shows no secret. */
public record AuthConfig(String region, Map<String, String> secretsByAccessKey) {
  public AuthConfig {
    secretsByAccessKey = Map.copyOf(secretsByAccessKey);
  }

  @Override
  public String toString() {
    return "AuthConfig[region=" + region + ", accessKeys=" + secretsByAccessKey.keySet() + "]";
  }
}
