package io.s3rdma.server.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One page of a listing. A common prefix costs one seek behind all its keys, so a listing with a
 * delimiter does not walk what it leaves out.
 */
final class Lister {
  private final String bucket;
  private final byte[] prefix;
  private final byte[] delimiter;
  private final List<ObjectMeta> objects = new ArrayList<>();
  private final List<String> commonPrefixes = new ArrayList<>();
  private byte[] last = {};

  private Lister(ListQuery query) {
    this.bucket = query.bucket();
    this.prefix = Utf8.octets(query.prefix());
    this.delimiter = Utf8.octets(query.delimiter());
  }

  static Listing list(MetaDb db, ListQuery query) throws IOException {
    byte[] rows = MetaKeys.bucket(query.bucket());
    try (MetaDb.Cursor cursor = db.cursor(Family.OBJECTS, rows)) {
      return new Lister(query).run(cursor, query);
    }
  }

  private Listing run(MetaDb.Cursor cursor, ListQuery query) throws IOException {
    cursor.seek(Keys.first(prefix, delimiter, Utf8.octets(query.startAfter())));
    byte[] key = cursor.key();
    while (key != null && Utf8.startsWith(key, prefix) && size() < query.entriesMax()) {
      int end = Keys.endOfCommonPrefix(key, prefix, delimiter);
      if (end < 0) {
        objects.add(MetaCodec.decode(bucket, Utf8.text(key), cursor.value()));
        last = key;
        cursor.next();
      } else {
        last = Arrays.copyOf(key, end);
        commonPrefixes.add(Utf8.text(last));
        cursor.seek(Utf8.successor(last));
      }
      key = cursor.key();
    }
    boolean truncated = query.entriesMax() > 0 && key != null && Utf8.startsWith(key, prefix);
    return new Listing(objects, commonPrefixes, truncated, Utf8.text(last));
  }

  private int size() {
    return objects.size() + commonPrefixes.size();
  }
}
