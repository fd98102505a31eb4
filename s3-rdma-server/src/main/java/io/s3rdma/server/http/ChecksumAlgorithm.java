package io.s3rdma.server.http;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** The checksums that S3 clients send and that are verified, stored and given back. */
public enum ChecksumAlgorithm {
  CRC32(4, () -> Hasher.of(new CRC32(), 4)),
  CRC32C(4, () -> Hasher.of(new CRC32C(), 4)),
  CRC64NVME(8, () -> Hasher.of(new Crc64Nvme(), 8)),
  SHA1(20, () -> Hasher.of(Crypto.digest("SHA-1"))),
  SHA256(32, () -> Hasher.of(Crypto.digest("SHA-256")));

  private final int bytes;

  @SuppressWarnings("ImmutableEnumChecker") // a stateless factory
  private final Supplier<Hasher> hashers;

  ChecksumAlgorithm(int bytes, Supplier<Hasher> hashers) {
    this.bytes = bytes;
    this.hashers = hashers;
  }

  /** The header and trailer name, for example {@code x-amz-checksum-crc32}. */
  public String header() {
    return HttpNames.AMZ_CHECKSUM_PREFIX + name().toLowerCase(Locale.ROOT);
  }

  int bytes() {
    return bytes;
  }

  Hasher newHasher() {
    return hashers.get();
  }

  static Optional<ChecksumAlgorithm> ofHeader(String header) {
    for (ChecksumAlgorithm algorithm : values()) {
      if (algorithm.header().equalsIgnoreCase(header)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }
}
