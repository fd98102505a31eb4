package io.s3rdma.server.encryption;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Settings of server-side encryption; see the section {@code encryption} of reference.conf.
 *
 * @param keyFile of the master keys; empty: in the data directory, made at the first use
 * @param allowMissingKeys whether to start without a master key that sealed something here
 * @param allowCustomerKeysOverHttp whether a customer's key may come by plain HTTP
 */
public record EncryptionConfig(
    Optional<Path> keyFile, boolean allowMissingKeys, boolean allowCustomerKeysOverHttp) {
  /** With nothing configured. */
  public static final EncryptionConfig DEFAULT =
      new EncryptionConfig(Optional.empty(), false, false);
}
