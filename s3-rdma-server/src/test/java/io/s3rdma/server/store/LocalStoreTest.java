package io.s3rdma.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreTest {
  private static final String BUCKET = "bucket";

  @TempDir Path directory;
  private LocalStore store;

  @BeforeEach
  void open() throws IOException {
    store = new LocalStore(config(0));
    store.createBucket(BUCKET, "me");
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  @Test
  void shouldGiveBackWhenReopened() throws IOException {
    put("k", "content", Map.of("content-type", "text/plain", "x-amz-meta-ü", "é"));

    reopen();

    ObjectMeta meta = store.head(BUCKET, "k").orElseThrow();
    assertThat(meta.etag()).isEqualTo("9a0364b9e99bb480dd25e1f0284c8555");
    assertThat(meta.attributes())
        .containsEntry("content-type", "text/plain")
        .containsEntry("x-amz-meta-ü", "é");
    assertThat(read("k")).isEqualTo("content");
    assertThat(store.listBuckets()).extracting(BucketMeta::name).containsExactly(BUCKET);
  }

  @Test
  void shouldGiveBackWhenDurable() throws IOException {
    store.close();
    store = new LocalStore(config(StoreConfig.Durability.COMMIT, 0));
    put("k", "content");

    assertThat(read("k")).isEqualTo("content");
  }

  @Test
  void shouldRefuseWhenClosed() throws IOException {
    store.close();

    assertThatThrownBy(() -> store.head(BUCKET, "k"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("closed");
  }

  @Test
  void shouldRemoveLeftoversWhenReopenedAfterACrash() throws IOException {
    put("k", "content");
    String orphan = "ab".repeat(16);
    Files.writeString(directory.resolve("tmp/" + "cd".repeat(16)), "half");
    Files.writeString(directory.resolve("objects/ab/" + orphan), "no metadata");

    reopen();

    assertThat(store.recovered().temporariesRemoved()).isEqualTo(1);
    assertThat(store.recovered().orphansRemoved()).isEqualTo(1);
    assertThat(dataFiles()).hasSize(1);
    assertThat(read("k")).isEqualTo("content");
  }

  @Test
  void shouldTellWhenDataIsGone() throws IOException {
    put("k", "content");
    Files.delete(dataFiles().get(0));

    reopen();

    assertThat(store.recovered().withoutFile()).containsExactly("bucket/k");
    assertThatThrownBy(() -> store.open(BUCKET, "k")).satisfies(reason(Reason.DAMAGED));
    put("k", "again");
    assertThat(read("k")).isEqualTo("again");
  }

  @Test
  void shouldTellWhenDataIsShort() throws IOException {
    put("k", "content");
    Files.writeString(dataFiles().get(0), "cont");

    assertThatThrownBy(() -> store.open(BUCKET, "k")).satisfies(reason(Reason.DAMAGED));
  }

  @Test
  void shouldStoreNothingWhenLengthIsWrong() throws IOException {
    try (ObjectWriter writer = store.create(NewObject.of(BUCKET, "k"), 10, EtagKind.MD5)) {
      writer.write(bytes("short"));
      assertThatThrownBy(() -> writer.commit(Preconditions.NONE, Map.of()))
          .satisfies(reason(Reason.WRONG_LENGTH));
    }
    try (ObjectWriter writer = store.create(NewObject.of(BUCKET, "k"), 2, EtagKind.MD5)) {
      assertThatThrownBy(() -> writer.write(bytes("long"))).satisfies(reason(Reason.WRONG_LENGTH));
    }

    assertThat(store.head(BUCKET, "k")).isEmpty();
    assertThat(dataFiles()).isEmpty();
    assertThat(temporaries()).isEmpty();
  }

  @Test
  void shouldLeaveNoTraceWhenNotCommitted() throws IOException {
    try (ObjectWriter writer = store.create(NewObject.of(BUCKET, "k"), -1, EtagKind.MD5)) {
      writer.write(bytes("content"));
      assertThat(temporaries()).hasSize(1);
      assertThat(store.head(BUCKET, "k")).isEmpty();
    }

    assertThat(temporaries()).isEmpty();
  }

  @Test
  void shouldKeepVersionWhenOverwrittenOrDeletedWhileRead() throws IOException {
    put("k", "first");
    try (StoredObject first = store.open(BUCKET, "k")) {
      put("k", "second");
      try (StoredObject second = store.open(BUCKET, "k")) {
        store.delete(ObjectRef.current(BUCKET, "k"));

        assertThat(text(first)).isEqualTo("first");
        assertThat(text(second)).isEqualTo("second");
      }
    }
    assertThat(dataFiles()).isEmpty();
  }

  @Test
  void shouldLetOneWinWhenManyPutIfAbsent() throws Exception {
    List<Callable<Boolean>> writers = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      String content = "writer " + i;
      writers.add(() -> putIfAbsent("k", content));
    }
    int winners = 0;
    try (ExecutorService pool = Executors.newFixedThreadPool(8)) {
      for (Future<Boolean> writer : pool.invokeAll(writers)) {
        winners += writer.get() ? 1 : 0;
      }
    }

    assertThat(winners).isEqualTo(1);
    assertThat(dataFiles()).hasSize(1);
    assertThat(temporaries()).isEmpty();
  }

  @Test
  void shouldDecideWhenEtagIsGiven() throws IOException {
    Preconditions matching = new Preconditions(List.of(put("k", "a").etag()), List.of());

    assertThatThrownBy(() -> commit("none", "x", matching)).satisfies(reason(Reason.NO_SUCH_KEY));
    commit("k", "b", matching);
    assertThatThrownBy(() -> commit("k", "c", matching))
        .satisfies(reason(Reason.PRECONDITION_FAILED));
    assertThat(read("k")).isEqualTo("b");
  }

  @Test
  void shouldRefuseWhenSpaceIsShort() throws IOException {
    store.close();
    store = new LocalStore(config(Long.MAX_VALUE / 2));

    assertThatThrownBy(() -> store.create(NewObject.of(BUCKET, "k"), 1, EtagKind.MD5))
        .satisfies(reason(Reason.FULL));
  }

  @Test
  void shouldRefuseWhenDirectoryIsInUse() {
    assertThatThrownBy(() -> new LocalStore(config(0)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("in use");
  }

  @Test
  void shouldTakeKeyWhenItLooksLikeAPath() throws IOException {
    List<String> keys =
        List.of("a", "a/", "a/b", "a//b", "../x", "/", "\u0000", "ü", "k".repeat(1024));
    for (String key : keys) {
      put(key, "of " + key);
    }

    for (String key : keys) {
      assertThat(read(key)).isEqualTo("of " + key);
    }
    assertThat(list("", "", "", 100).objects()).hasSize(keys.size());
  }

  @Test
  void shouldPageWhenListingIsLong() throws IOException {
    for (String key : List.of("a/1", "a/2", "b", "c/1", "c/2", "d")) {
      put(key, "");
    }

    Listing first = list("", "", "/", 2);
    assertThat(first.commonPrefixes()).containsExactly("a/");
    assertThat(first.objects()).extracting(ObjectMeta::key).containsExactly("b");
    assertThat(first.isTruncated()).isTrue();
    Listing second = list("", first.last(), "/", 1);
    assertThat(second.commonPrefixes()).containsExactly("c/");
    Listing third = list("", second.last(), "/", 2);
    assertThat(third.objects()).extracting(ObjectMeta::key).containsExactly("d");
    assertThat(third.isTruncated()).isFalse();
    assertThat(list("", "", "", 0).isTruncated()).isFalse();
  }

  @Test
  void shouldListInOctetOrderWhenKeysAreNotAscii() throws IOException {
    // As UTF-16 the second would come first.
    put("\uFF5E", "");
    put("\uD83D\uDE00", "");

    assertThat(list("", "", "", 10).objects())
        .extracting(ObjectMeta::key)
        .containsExactly("\uFF5E", "\uD83D\uDE00");
  }

  @Test
  void shouldKeepBucketsApartWhenNamesShareAPrefix() throws IOException {
    store.createBucket("bucket2", "me");
    put("k", "");

    assertThat(store.list(new ListQuery("bucket2", "", "", "", 10)).objects()).isEmpty();
    store.deleteBucket("bucket2");
    assertThatThrownBy(() -> store.deleteBucket(BUCKET)).satisfies(reason(Reason.BUCKET_NOT_EMPTY));
    assertThatThrownBy(() -> store.head("bucket2", "k")).satisfies(reason(Reason.NO_SUCH_BUCKET));
  }

  private static Consumer<Throwable> reason(Reason reason) {
    return e ->
        assertThat(e)
            .isInstanceOfSatisfying(
                StoreException.class, s -> assertThat(s.reason()).isEqualTo(reason));
  }

  private Listing list(String prefix, String after, String delimiter, int max) throws IOException {
    return store.list(new ListQuery(BUCKET, prefix, after, delimiter, max));
  }

  private boolean putIfAbsent(String key, String content) throws IOException {
    try {
      commit(key, content, new Preconditions(List.of(), List.of("*")));
      return true;
    } catch (StoreException e) {
      assertThat(e.reason()).isEqualTo(Reason.PRECONDITION_FAILED);
      return false;
    }
  }

  private ObjectMeta put(String key, String content) throws IOException {
    return put(key, content, Map.of());
  }

  private ObjectMeta put(String key, String content, Map<String, String> attributes)
      throws IOException {
    NewObject object = new NewObject(BUCKET, key, attributes, Map.of(), "");
    try (ObjectWriter writer = store.create(object, -1, EtagKind.MD5)) {
      writer.write(bytes(content));
      return writer.commit(Preconditions.NONE, Map.of());
    }
  }

  private void commit(String key, String content, Preconditions preconditions) throws IOException {
    try (ObjectWriter writer = store.create(NewObject.of(BUCKET, key), -1, EtagKind.MD5)) {
      writer.write(bytes(content));
      writer.commit(preconditions, Map.of());
    }
  }

  private String read(String key) throws IOException {
    try (StoredObject object = store.open(BUCKET, key)) {
      return text(object);
    }
  }

  private static String text(StoredObject object) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate((int) object.meta().size());
    object.read(0, buffer);
    return new String(buffer.array(), StandardCharsets.UTF_8);
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private void reopen() throws IOException {
    store.close();
    store = new LocalStore(config(0));
  }

  private StoreConfig config(long freeBytesMin) {
    return config(StoreConfig.Durability.NONE, freeBytesMin);
  }

  /** Everything in files; {@link InlineTest} has the small objects. */
  private StoreConfig config(StoreConfig.Durability durability, long freeBytesMin) {
    return new StoreConfig(directory, durability, freeBytesMin, -1, 0, Map.of(), 0, 1 << 30);
  }

  private List<Path> dataFiles() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("objects"))) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private List<Path> temporaries() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("tmp"))) {
      return files.toList();
    }
  }
}
