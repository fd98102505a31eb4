package io.s3rdma.server;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Settings of the section {@code auth}; shows no secret.
 *
 * @param keysFile where more keys are, with accounts and rights
 * @param allowAnonymous whether canned ACLs open anything to whoever does not sign
 * @param formSignatureV2 whether Signature Version 2 may sign the policies of forms
 */
public record AuthConfig(
    String region,
    Map<String, String> secretsByAccessKey,
    Optional<Path> keysFile,
    boolean allowAnonymous,
    boolean formSignatureV2) {
  public AuthConfig {
    secretsByAccessKey = Map.copyOf(secretsByAccessKey);
  }

  @Override
  public String toString() {
    return "AuthConfig[region="
        + region
        + ", accessKeys="
        + secretsByAccessKey.keySet()
        + ", keysFile="
        + keysFile.map(Path::toString).orElse("none")
        + ", allowAnonymous="
        + allowAnonymous
        + ", formSignatureV2="
        + formSignatureV2
        + "]";
  }
}
