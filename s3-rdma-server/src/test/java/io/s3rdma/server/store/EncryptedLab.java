package io.s3rdma.server.store;

import static io.s3rdma.server.store.StoreLab.BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.encryption.CustomerKey;
import io.s3rdma.server.encryption.EncryptionConfig;
import io.s3rdma.server.encryption.Protection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** A store whose objects are encrypted in every way there is, and what lies on its disk. */
final class EncryptedLab implements AutoCloseable {
  static final int INLINE_BYTES = 1000;
  static final CustomerKey KEY = CustomerKey.of(octets(1));
  static final CustomerKey OTHER = CustomerKey.of(octets(2));

  private final Path directory;
  private LocalStore store;

  /** Whose key. */
  enum Way {
    PLAIN,
    SERVER,
    CUSTOMER;

    Protection protection() {
      return switch (this) {
        case PLAIN -> Protection.NONE;
        case SERVER -> Protection.SERVER;
        case CUSTOMER -> new Protection.Customer(KEY);
      };
    }

    Optional<CustomerKey> key() {
      return this == CUSTOMER ? Optional.of(KEY) : Optional.empty();
    }
  }

  EncryptedLab(Path directory) throws IOException {
    this.directory = directory;
    this.store = new LocalStore(config());
    store.createBucket(BUCKET, "me");
  }

  LocalStore store() {
    return store;
  }

  StoreConfig config() {
    return new StoreConfig(
        directory, StoreConfig.Durability.NONE, 0, INLINE_BYTES, 0, Map.of(), 0, 1 << 30);
  }

  void reopen(EncryptionConfig encryption) throws IOException {
    store.close();
    store = new LocalStore(config(), encryption);
  }

  @Override
  public void close() throws IOException {
    store.close();
  }

  ObjectMeta put(String key, byte[] content, Way way, long expected) throws IOException {
    try (ObjectWriter writer =
        store.create(NewObject.of(BUCKET, key), expected, EtagKind.MD5, way.protection())) {
      for (int at = 0; at < content.length; at += 100_003) {
        int length = Math.min(100_003, content.length - at);
        ByteBuffer piece = ByteBuffer.wrap(content, at, length);
        writer.write(piece);
        assertThat(piece.hasRemaining()).isFalse();
      }
      ObjectMeta meta = writer.commit(Preconditions.NONE, Map.of());
      assertThat(meta.sealedKey().kind().name()).isEqualTo(way == Way.PLAIN ? "NONE" : way.name());
      return meta;
    }
  }

  UploadMeta upload(String key, Way way) throws IOException {
    NewObject object = NewObject.of(BUCKET, key);
    UploadMeta upload = store.createUpload(object, "me", "", null, way.protection());
    return store.upload(BUCKET, key, upload.id());
  }

  PartMeta part(UploadMeta upload, int number, byte[] content, Optional<CustomerKey> key)
      throws IOException {
    try (PartWriter writer = store.createPart(upload, number, content.length, EtagKind.MD5, key)) {
      writer.write(ByteBuffer.wrap(content));
      return writer.commit(Map.of());
    }
  }

  void multipart(String key, Way way, int... sizes) throws IOException {
    UploadMeta upload = upload(key, way);
    List<PartMeta> parts = new ArrayList<>();
    for (int size : sizes) {
      parts.add(part(upload, parts.size() + 1, content(size), way.key()));
    }
    ObjectMeta made = store.complete(StoreLab.completion(upload, parts));
    assertThat(made.sealedKey()).isEqualTo(upload.sealedKey());
    assertThat(made.sealedKey().isNone()).isEqualTo(way == Way.PLAIN);
  }

  ObjectMeta copy(StoredObject source, String key, Protection protection) throws IOException {
    return store.copy(
        source,
        NewObject.of(BUCKET, key),
        Preconditions.NONE,
        Map.of(),
        ChecksumType.FULL_OBJECT,
        protection);
  }

  StoredObject opened(String key, Way way) throws IOException {
    StoredObject object = store.open(BUCKET, key);
    if (way == Way.CUSTOMER) {
      object.unlock(KEY);
    }
    return object;
  }

  byte[] read(String key, Way way) throws IOException {
    try (StoredObject object = opened(key, way)) {
      int size = (int) object.meta().size();
      ByteBuffer bytes = ByteBuffer.allocate(size);
      assertThat(object.read(0, bytes)).isEqualTo(size == 0 ? -1 : size);
      return bytes.array();
    }
  }

  static byte[] extents(StoredObject object, long from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    while (bytes.hasRemaining()) {
      switch (object.extent(from + bytes.position(), bytes.remaining())) {
        case Extent.InMemory memory -> bytes.put(memory.bytes());
        case Extent.InFile file -> {
          ByteBuffer piece = bytes.slice(bytes.position(), (int) file.length());
          bytes.position(bytes.position() + file.channel().read(piece, file.offset()));
        }
      }
    }
    return bytes.array();
  }

  List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      // RocksDB writes its log anew with each start.
      return all.filter(path -> !path.startsWith(directory.resolve("meta"))).sorted().toList();
    }
  }

  List<Path> filesWith(String text) throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.filter(Files::isRegularFile).filter(file -> holds(file, text)).toList();
    }
  }

  private static boolean holds(Path file, String text) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] contents(int... sizes) {
    ByteBuffer all = ByteBuffer.allocate(Arrays.stream(sizes).sum());
    for (int size : sizes) {
      all.put(content(size));
    }
    return all.array();
  }

  static byte[] content(int size) {
    byte[] content = new byte[size];
    new Random(size).nextBytes(content);
    return content;
  }

  private static byte[] octets(int seed) {
    byte[] octets = new byte[CustomerKey.BYTES];
    new Random(seed).nextBytes(octets);
    return octets;
  }
}
