package io.s3rdma.server.http;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/** The checksums that S3 clients send and that are verified, stored and given back. */
public enum ChecksumAlgorithm {
  CRC32(4, () -> Hasher.of(new CRC32(), 4), 0xedb88320L),
  CRC32C(4, () -> Hasher.of(new CRC32C(), 4), 0x82f63b78L),
  CRC64NVME(8, () -> Hasher.of(new Crc64Nvme(), 8), Crc64Nvme.POLYNOMIAL),
  SHA1(20, () -> Hasher.of(Crypto.digest("SHA-1")), 0),
  SHA256(32, () -> Hasher.of(Crypto.digest("SHA-256")), 0);

  private final int bytes;

  @SuppressWarnings("ImmutableEnumChecker") // a stateless factory
  private final Supplier<Hasher> hashers;

  private final long polynomial;

  /** {@code polynomial} is that of a CRC, reflected; 0 for what is no CRC. */
  ChecksumAlgorithm(int bytes, Supplier<Hasher> hashers, long polynomial) {
    this.bytes = bytes;
    this.hashers = hashers;
    this.polynomial = polynomial;
  }

  /** The header and trailer name, for example {@code x-amz-checksum-crc32}. */
  public String header() {
    return HttpNames.AMZ_CHECKSUM_PREFIX + name().toLowerCase(Locale.ROOT);
  }

  /** The name in documents, for example {@code ChecksumCRC32}. */
  public String element() {
    return "Checksum" + name();
  }

  /** Whether the sum of a whole follows from those of its parts. */
  public boolean isCrc() {
    return polynomial != 0;
  }

  public Hasher newHasher() {
    return hashers.get();
  }

  /** Octets of a sum. */
  int bytes() {
    return bytes;
  }

  CrcJoiner joiner() {
    if (!isCrc()) {
      throw new IllegalStateException(this + " of a whole does not follow from its parts");
    }
    return new CrcJoiner(bytes * Byte.SIZE, polynomial);
  }

  /** By its name in headers like {@code x-amz-checksum-algorithm}, in any case. */
  public static Optional<ChecksumAlgorithm> ofName(String name) {
    return ofHeader(HttpNames.AMZ_CHECKSUM_PREFIX + name);
  }

  public static Optional<ChecksumAlgorithm> ofHeader(String header) {
    for (ChecksumAlgorithm algorithm : values()) {
      if (algorithm.header().equalsIgnoreCase(header)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }

  public static Optional<ChecksumAlgorithm> ofElement(String element) {
    for (ChecksumAlgorithm algorithm : values()) {
      if (algorithm.element().equals(element)) {
        return Optional.of(algorithm);
      }
    }
    return Optional.empty();
  }
}
