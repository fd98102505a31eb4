package io.s3rdma.server.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One page of a listing of uploads. A common prefix costs one seek behind all its keys. */
final class UploadLister {
  private final UploadQuery query;
  private final byte[] prefix;
  private final byte[] delimiter;
  private final MetaDb.Cursor cursor;
  private final List<UploadMeta> uploads = new ArrayList<>();
  private final List<String> commonPrefixes = new ArrayList<>();
  private String lastKey = "";
  private String lastId = "";

  private UploadLister(UploadQuery query, MetaDb.Cursor cursor) {
    this.query = query;
    this.prefix = Utf8.octets(query.prefix());
    this.delimiter = Utf8.octets(query.delimiter());
    this.cursor = cursor;
  }

  static UploadListing list(MetaDb db, UploadQuery query) throws IOException {
    byte[] rows = MetaKeys.bucket(query.bucket());
    try (MetaDb.Cursor cursor = db.cursor(Family.UPLOADS, rows)) {
      return new UploadLister(query, cursor).run();
    }
  }

  static List<UploadMeta> all(MetaDb db, String bucket) throws IOException {
    return list(db, new UploadQuery(bucket, "", "", "", "", Integer.MAX_VALUE)).uploads();
  }

  private UploadListing run() throws IOException {
    byte[] marker = Utf8.octets(query.keyMarker());
    if (query.uploadIdMarker().isEmpty()) {
      cursor.seek(MetaKeys.escape(Keys.first(prefix, delimiter, marker)));
    } else {
      cursor.seek(max(MetaKeys.escape(prefix), behindMarker(marker)));
    }
    byte[] row = cursor.key();
    while (isWanted(row) && size() < query.entriesMax()) {
      byte[] key = MetaKeys.unescape(row);
      int end = Keys.endOfCommonPrefix(key, prefix, delimiter);
      if (end < 0) {
        add(Utf8.text(key), Utf8.text(MetaKeys.behindKey(row)));
      } else {
        fold(Arrays.copyOf(key, end));
      }
      row = cursor.key();
    }
    boolean truncated = query.entriesMax() > 0 && isWanted(row);
    return new UploadListing(uploads, commonPrefixes, truncated, lastKey, lastId);
  }

  /** The first row behind the marker's. */
  private byte[] behindMarker(byte[] marker) {
    byte[] row = Utf8.concat(MetaKeys.escape(marker), new byte[2]);
    return Utf8.concat(Utf8.concat(row, Utf8.octets(query.uploadIdMarker())), new byte[1]);
  }

  private void add(String key, String id) throws IOException {
    uploads.add(MetaCodec.decodeUpload(query.bucket(), key, id, cursor.value()));
    lastKey = key;
    lastId = id;
    cursor.next();
  }

  private void fold(byte[] common) {
    lastKey = Utf8.text(common);
    lastId = "";
    commonPrefixes.add(lastKey);
    cursor.seek(MetaKeys.escape(Utf8.successor(common)));
  }

  private boolean isWanted(byte[] row) {
    return row != null && Utf8.startsWith(MetaKeys.unescape(row), prefix);
  }

  private static byte[] max(byte[] left, byte[] right) {
    return Arrays.compareUnsigned(left, right) < 0 ? right : left;
  }

  private int size() {
    return uploads.size() + commonPrefixes.size();
  }
}
