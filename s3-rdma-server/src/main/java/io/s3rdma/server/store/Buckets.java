package io.s3rdma.server.store;

import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** The buckets in memory, in step with the metadata. Changes only under the bucket's lock. */
final class Buckets {
  private final MetaDb db;
  private final Map<String, BucketMeta> buckets = new ConcurrentSkipListMap<>();

  Buckets(MetaDb db) throws IOException {
    this.db = db;
    try (MetaDb.Cursor cursor = db.cursor(Family.BUCKETS, new byte[0]).first()) {
      for (byte[] key = cursor.key(); key != null; key = cursor.key()) {
        String name = Utf8.text(key);
        buckets.put(name, MetaCodec.decode(name, cursor.value()));
        cursor.next();
      }
    }
  }

  List<BucketMeta> all() {
    return List.copyOf(buckets.values());
  }

  Optional<BucketMeta> find(String name) {
    return Optional.ofNullable(buckets.get(name));
  }

  BucketMeta require(String name) throws StoreException {
    BucketMeta found = buckets.get(name);
    if (found == null) {
      throw new StoreException(Reason.NO_SUCH_BUCKET, "bucket " + name + " does not exist");
    }
    return found;
  }

  void put(BucketMeta meta) throws IOException {
    try (MetaBatch batch = db.batch()) {
      db.write(batch.put(meta));
    }
    buckets.put(meta.name(), meta);
  }

  void delete(MetaBatch batch, String name) throws IOException {
    batch.delete(Family.BUCKETS, Utf8.octets(name));
    batch.delete(Family.USAGE, MetaKeys.usage(name, MetaBatch.BYTES));
    batch.delete(Family.USAGE, MetaKeys.usage(name, MetaBatch.ITEMS));
    db.write(batch);
    buckets.remove(name);
  }
}
