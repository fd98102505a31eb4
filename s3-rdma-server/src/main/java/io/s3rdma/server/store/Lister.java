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
  private final byte[] prefix;
  private final byte[] delimiter;
  private final List<ObjectMeta> objects = new ArrayList<>();
  private final List<String> commonPrefixes = new ArrayList<>();
  private byte[] last = {};

  private Lister(ListQuery query) {
    this.prefix = Utf8.octets(query.prefix());
    this.delimiter = Utf8.octets(query.delimiter());
  }

  static Listing list(MetaDb.Cursor cursor, ListQuery query) throws IOException {
    return new Lister(query).run(cursor, query);
  }

  private Listing run(MetaDb.Cursor cursor, ListQuery query) throws IOException {
    cursor.seek(first(Utf8.octets(query.startAfter())));
    byte[] key = cursor.key();
    while (key != null && Utf8.startsWith(key, prefix) && size() < query.entriesMax()) {
      int end = delimiter.length == 0 ? -1 : Utf8.indexOf(key, delimiter, prefix.length);
      if (end < 0) {
        objects.add(cursor.meta(key));
        last = key;
        cursor.next();
      } else {
        last = Arrays.copyOf(key, end + delimiter.length);
        commonPrefixes.add(Utf8.text(last));
        cursor.seek(Utf8.successor(last));
      }
      key = cursor.key();
    }
    boolean truncated = query.entriesMax() > 0 && key != null && Utf8.startsWith(key, prefix);
    return new Listing(objects, commonPrefixes, truncated, Utf8.text(last));
  }

  /** Where to begin: behind {@code after}, and behind all it stands for if it is a prefix. */
  private byte[] first(byte[] after) {
    if (after.length == 0 || Arrays.compareUnsigned(after, prefix) < 0) {
      return prefix;
    }
    boolean isCommonPrefix =
        delimiter.length > 0
            && Utf8.startsWith(after, prefix)
            && Utf8.indexOf(after, delimiter, prefix.length) == after.length - delimiter.length;
    return isCommonPrefix ? Utf8.successor(after) : Arrays.copyOf(after, after.length + 1);
  }

  private int size() {
    return objects.size() + commonPrefixes.size();
  }
}
