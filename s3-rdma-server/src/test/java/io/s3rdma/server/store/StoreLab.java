package io.s3rdma.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A store in a directory of its own with one bucket. */
final class StoreLab implements AutoCloseable {
  static final String BUCKET = "bucket";

  private final StoreConfig config;
  private LocalStore store;

  StoreLab(Path directory, int inlineBytesMax) throws IOException {
    this(
        new StoreConfig(
            directory, StoreConfig.Durability.NONE, 0, inlineBytesMax, 0, Map.of(), 0, 1 << 30));
  }

  StoreLab(StoreConfig config) throws IOException {
    this.config = config;
    this.store = new LocalStore(config);
    store.createBucket(BUCKET, "me");
  }

  LocalStore store() {
    return store;
  }

  void versioning(BucketMeta.Versioning versioning) throws IOException {
    store.updateBucket(BUCKET, bucket -> bucket.withVersioning(versioning));
  }

  ObjectMeta put(String key, String content) throws IOException {
    return put(key, content, Preconditions.NONE);
  }

  ObjectMeta put(String key, String content, Preconditions preconditions) throws IOException {
    try (ObjectWriter writer =
        store.create(NewObject.of(BUCKET, key), content.length(), EtagKind.MD5)) {
      writer.write(bytes(content));
      return writer.commit(preconditions, Map.of());
    }
  }

  String read(ObjectRef ref) throws IOException {
    try (StoredObject object = store.open(ref)) {
      return text(object);
    }
  }

  String read(String key) throws IOException {
    return read(ObjectRef.current(BUCKET, key));
  }

  static String text(StoredObject object) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) object.meta().size());
    int count = object.read(0, buffer);
    assertThat(count).isEqualTo(buffer.capacity() == 0 ? -1 : buffer.capacity());
    return new String(buffer.array(), StandardCharsets.UTF_8);
  }

  PartMeta part(UploadMeta upload, int number, String content) throws IOException {
    try (PartWriter writer =
        store.createPart(upload, number, content.length(), EtagKind.MD5, Optional.empty())) {
      writer.write(bytes(content));
      return writer.commit(Map.of());
    }
  }

  static Completion completion(UploadMeta upload, List<PartMeta> parts) {
    return new Completion(
        BUCKET,
        upload.object().key(),
        upload.id(),
        parts.stream().map(part -> new PartClaim(part.number(), part.etag())).toList(),
        Preconditions.NONE,
        Map.of(),
        ChecksumType.COMPOSITE,
        0);
  }

  UploadMeta upload(String key) throws IOException {
    return store.createUpload(NewObject.of(BUCKET, key), "me", "", null, Protection.NONE);
  }

  VersionListing versions(String keyMarker, String versionIdMarker, int max) throws IOException {
    return store.listVersions(new VersionQuery(BUCKET, "", keyMarker, versionIdMarker, "", max));
  }

  void reopen() throws IOException {
    store.close();
    store = new LocalStore(config);
  }

  List<Path> dataFiles() throws IOException {
    try (Stream<Path> files = Files.walk(config.directory().resolve("objects"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  List<Path> temporaries() throws IOException {
    try (Stream<Path> files = Files.list(config.directory().resolve("tmp"))) {
      return files.toList();
    }
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static Consumer<Throwable> reason(Reason reason) {
    return e ->
        assertThat(e)
            .isInstanceOfSatisfying(
                StoreException.class, s -> assertThat(s.reason()).isEqualTo(reason));
  }

  @Override
  public void close() throws IOException {
    store.close();
  }
}
