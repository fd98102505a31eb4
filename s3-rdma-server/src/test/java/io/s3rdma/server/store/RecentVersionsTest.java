package io.s3rdma.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.store.RecentVersions.Name;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecentVersionsTest {
  private static final Name NAME = new Name(StoreLab.BUCKET, "k");

  @TempDir Path directory;

  private final RecentVersions recent = new RecentVersions();

  @Test
  void shouldFindWhenNothingChanged() throws IOException {
    ObjectMeta meta = someVersion();

    recent.keep(NAME, meta, recent.changes(NAME));

    assertThat(recent.find(NAME)).contains(meta);
    assertThat(recent.find(new Name(StoreLab.BUCKET, "other"))).isEmpty();
  }

  @Test
  void shouldForgetWhenAChangeBegins() throws IOException {
    recent.keep(NAME, someVersion(), recent.changes(NAME));

    recent.begin(List.of(NAME));
    assertThat(recent.find(NAME)).isEmpty();
    recent.end(List.of(NAME));

    assertThat(recent.find(NAME)).isEmpty();
  }

  @Test
  void shouldNotKeepWhatWasReadWhileAChangeRan() throws IOException {
    recent.begin(List.of(NAME));
    long changes = recent.changes(NAME);
    recent.keep(NAME, someVersion(), changes);
    assertThat(recent.find(NAME)).isEmpty();
    recent.end(List.of(NAME));

    assertThat(recent.find(NAME)).isEmpty();
  }

  @Test
  void shouldNotKeepWhatWasReadBeforeAChange() throws IOException {
    long changes = recent.changes(NAME);
    recent.begin(List.of(NAME));
    recent.end(List.of(NAME));

    recent.keep(NAME, someVersion(), changes);

    assertThat(recent.find(NAME)).isEmpty();
  }

  /** Readers and a lister never see an older version after a newer one. */
  @Test
  void shouldNeverGoBackWhenOneWritesAndManyRead() throws Exception {
    try (StoreLab lab = new StoreLab(directory, -1)) {
      lab.put("k", "v");
      AtomicBoolean ended = new AtomicBoolean();
      AtomicInteger stepsBack = new AtomicInteger();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(Thread.ofPlatform().start(() -> follow(lab, ended, stepsBack, failure)));
      }
      long last = 0;
      for (int i = 0; i < 400; i++) {
        last = lab.put("k", "v" + i).sequence();
        assertThat(lab.store().find(current()).orElseThrow().sequence()).isEqualTo(last);
      }
      ended.set(true);
      for (Thread reader : readers) {
        reader.join();
      }

      assertThat(failure).hasNullValue();
      assertThat(stepsBack).hasValue(0);
    }
  }

  private static void follow(
      StoreLab lab,
      AtomicBoolean ended,
      AtomicInteger stepsBack,
      AtomicReference<Throwable> failure) {
    long seen = 0;
    try {
      while (!ended.get()) {
        long now;
        try (StoredObject object = lab.store().open(current())) {
          now = object.meta().sequence();
        }
        if (now < seen) {
          stepsBack.incrementAndGet();
        }
        seen = now;
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
    }
  }

  private static ObjectRef current() {
    return new ObjectRef(StoreLab.BUCKET, "k", "");
  }

  private ObjectMeta someVersion() throws IOException {
    try (StoreLab lab = new StoreLab(directory, -1)) {
      return lab.put("k", "content");
    }
  }
}
