package io.s3rdma.bench;

import io.s3rdma.server.store.BucketMeta;
import io.s3rdma.server.store.EtagKind;
import io.s3rdma.server.store.ListQuery;
import io.s3rdma.server.store.Listing;
import io.s3rdma.server.store.LocalStore;
import io.s3rdma.server.store.NewObject;
import io.s3rdma.server.store.ObjectWriter;
import io.s3rdma.server.store.Preconditions;
import io.s3rdma.server.store.StoreConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How long a store with many objects takes to open, and to list a page and all of it. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Fills a local store with small objects, half in the metadata and half in files, then opens it",
      "again as a server's start does and lists it. Keeps the directory: a second run measures only."
    })
final class StoreCommand implements Callable<Integer> {
  private static final String BUCKET = "bench";
  private static final int INLINE_BYTES_MAX = 64;
  private static final int PAGE = 1000;
  private static final double NANOS_PER_SECOND = 1e9;

  @Spec private CommandSpec spec;

  @Option(
      names = "--objects",
      defaultValue = "1000000",
      description = "how many (default ${DEFAULT-VALUE})")
  private int objects;

  @Option(names = "--directory", required = true, description = "where the store lies")
  private Path directory;

  private PrintWriter out;

  @Override
  public Integer call() throws IOException {
    out = spec.commandLine().getOut();
    if (Files.notExists(directory.resolve("meta"))) {
      fill();
    }
    for (int round = 1; round <= 3; round++) {
      long start = System.nanoTime();
      try (LocalStore store = new LocalStore(config())) {
        say("open " + round, start);
        page(store, "");
        page(store, key(objects / 2));
        long all = System.nanoTime();
        int listed = listAll(store);
        say("list all " + listed + " objects", all);
      }
    }
    return 0;
  }

  private void fill() throws IOException {
    long start = System.nanoTime();
    try (LocalStore store = new LocalStore(config())) {
      store.createBucket(BUCKET, "bench");
      BucketMeta bucket = store.bucket(BUCKET).orElseThrow();
      for (int i = 0; i < objects; i++) {
        put(store, bucket.name(), i);
      }
    }
    say("fill " + objects + " objects", start);
  }

  private static void put(LocalStore store, String bucket, int number) throws IOException {
    int size = number % 2 == 0 ? INLINE_BYTES_MAX : INLINE_BYTES_MAX + 1;
    NewObject object = NewObject.of(bucket, key(number));
    try (ObjectWriter writer = store.create(object, size, EtagKind.OPAQUE)) {
      writer.write(ByteBuffer.allocate(size));
      writer.commit(Preconditions.NONE, Map.of());
    }
  }

  private void page(LocalStore store, String after) throws IOException {
    long start = System.nanoTime();
    Listing page = store.list(new ListQuery(BUCKET, "", after, "", PAGE));
    say("list " + page.objects().size() + " objects behind '" + after + "'", start);
  }

  private static int listAll(LocalStore store) throws IOException {
    int count = 0;
    String after = "";
    Listing page;
    do {
      page = store.list(new ListQuery(BUCKET, "", after, "", PAGE));
      count += page.objects().size();
      after = page.last();
    } while (page.isTruncated());
    return count;
  }

  private StoreConfig config() {
    return new StoreConfig(
        directory,
        StoreConfig.Durability.NONE,
        0,
        INLINE_BYTES_MAX,
        0,
        Map.of(),
        0,
        Integer.MAX_VALUE);
  }

  private static String key(int number) {
    return String.format(Locale.ROOT, "checkpoint/%02d/shard-%08d", number % 100, number);
  }

  private void say(String what, long sinceNanos) {
    double seconds = (System.nanoTime() - sinceNanos) / NANOS_PER_SECOND;
    out.printf(Locale.ROOT, "%-50s %9.3f s%n", what, seconds);
    out.flush();
  }
}
