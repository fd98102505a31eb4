package io.s3rdma.server.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One page of a listing of versions: current rows and the others, merged by key. A common prefix
 * costs one seek behind all its keys.
 */
final class VersionLister {
  private final VersionQuery query;
  private final byte[] prefix;
  private final byte[] delimiter;
  private final MetaDb.Cursor current;
  private final MetaDb.Cursor older;
  private final List<VersionListing.Entry> entries = new ArrayList<>();
  private final List<String> commonPrefixes = new ArrayList<>();
  private String lastKey = "";
  private String lastVersionId = "";

  private VersionLister(VersionQuery query, MetaDb.Cursor current, MetaDb.Cursor older) {
    this.query = query;
    this.prefix = Utf8.octets(query.prefix());
    this.delimiter = Utf8.octets(query.delimiter());
    this.current = current;
    this.older = older;
  }

  static VersionListing list(MetaDb db, Versions versions, VersionQuery query) throws IOException {
    byte[] rows = MetaKeys.bucket(query.bucket());
    try (MetaDb.Cursor current = db.cursor(Family.OBJECTS, rows);
        MetaDb.Cursor older = db.cursor(Family.VERSIONS, rows)) {
      return new VersionLister(query, current, older).run(markerSequence(versions, query));
    }
  }

  /** The sequence of the version to go on behind; 0, which is below all, to leave the key out. */
  private static long markerSequence(Versions versions, VersionQuery query) throws IOException {
    if (query.versionIdMarker().isEmpty()) {
      return 0;
    }
    Optional<Long> named = Versions.sequenceOf(query.versionIdMarker());
    if (named.isPresent()) {
      return named.get();
    }
    ObjectRef ref = new ObjectRef(query.bucket(), query.keyMarker(), query.versionIdMarker());
    return versions.find(ref).map(ObjectMeta::sequence).orElse(0L);
  }

  private VersionListing run(long markerSequence) throws IOException {
    byte[] marker = Utf8.octets(query.keyMarker());
    boolean within =
        markerSequence > 0 && Keys.endOfCommonPrefix(marker, prefix, delimiter) != marker.length;
    seek(within ? max(prefix, marker) : Keys.first(prefix, delimiter, marker));
    byte[] key = nextKey();
    if (within && Arrays.equals(key, marker)) {
      versionsOf(key, markerSequence);
      key = nextKey();
    }
    while (isWanted(key) && size() < query.entriesMax()) {
      int end = Keys.endOfCommonPrefix(key, prefix, delimiter);
      if (end < 0) {
        versionsOf(key, Long.MAX_VALUE);
      } else {
        fold(Arrays.copyOf(key, end));
      }
      key = nextKey();
    }
    boolean truncated = query.entriesMax() > 0 && isWanted(key);
    return new VersionListing(entries, commonPrefixes, truncated, lastKey, lastVersionId);
  }

  /** Adds the key's versions below the sequence, as many as there is room for. */
  private void versionsOf(byte[] key, long below) throws IOException {
    String name = Utf8.text(key);
    boolean hasCurrent = Arrays.equals(current.key(), key);
    if (hasCurrent && !add(currentVersion(name), true, below)) {
      return;
    }
    if (hasCurrent) {
      current.next();
    }
    boolean latest = !hasCurrent;
    while (isOlderOf(key)) {
      ObjectMeta meta = MetaCodec.decode(query.bucket(), name, older.value());
      if (!add(meta, latest, below)) {
        return;
      }
      latest = false;
      older.next();
    }
  }

  private ObjectMeta currentVersion(String name) throws IOException {
    return MetaCodec.decode(query.bucket(), name, current.value());
  }

  /** False if the page is full. */
  private boolean add(ObjectMeta meta, boolean isLatest, long below) {
    if (meta.sequence() >= below) {
      return true;
    }
    if (size() == query.entriesMax()) {
      return false;
    }
    entries.add(new VersionListing.Entry(meta, isLatest));
    lastKey = meta.key();
    lastVersionId = meta.versionId();
    return true;
  }

  private void fold(byte[] common) {
    lastKey = Utf8.text(common);
    lastVersionId = "";
    commonPrefixes.add(lastKey);
    seek(Utf8.successor(common));
  }

  private void seek(byte[] key) {
    current.seek(key);
    older.seek(MetaKeys.escape(key));
  }

  private boolean isOlderOf(byte[] key) throws IOException {
    byte[] row = older.key();
    return row != null && Arrays.equals(MetaKeys.unescape(row), key);
  }

  /** The lower of both cursors' keys; null at the end. */
  private byte[] nextKey() throws IOException {
    byte[] left = current.key();
    byte[] row = older.key();
    if (row == null) {
      return left;
    }
    byte[] right = MetaKeys.unescape(row);
    return left == null || Arrays.compareUnsigned(right, left) < 0 ? right : left;
  }

  private boolean isWanted(byte[] key) {
    return key != null && Utf8.startsWith(key, prefix);
  }

  private static byte[] max(byte[] left, byte[] right) {
    return Arrays.compareUnsigned(left, right) < 0 ? right : left;
  }

  private int size() {
    return entries.size() + commonPrefixes.size();
  }
}
