package io.s3rdma.server.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings files and metadata together after a crash. A version's file is in place before its
 * metadata, so a crash leaves files that nothing names: they go. Metadata without a file is a
 * damage that is told, and kept, since the file may come back with a backup.
 *
 * <p>Both sides are walked in the order of the ids, one directory at a time, so that a million
 * objects take seconds and no memory.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

  private final DataFiles files;
  private final MetaDb db;
  private final List<String> missing = new ArrayList<>();
  private int orphans;

  private Recovery(DataFiles files, MetaDb db) {
    this.files = files;
    this.db = db;
  }

  /** What was found at the start; {@code withoutFile} are buckets and keys. */
  record Report(int temporariesRemoved, int orphansRemoved, List<String> withoutFile) {
    private static final int SHOWN = 20;

    Report {
      withoutFile = List.copyOf(withoutFile);
    }

    boolean isClean() {
      return temporariesRemoved == 0 && orphansRemoved == 0 && withoutFile.isEmpty();
    }

    void tell() {
      if (!isClean()) {
        LOG.warn(
            "store recovered: {} unfinished and {} orphaned data files removed, {} objects have lost"
                + " their data {}",
            temporariesRemoved,
            orphansRemoved,
            withoutFile.size(),
            withoutFile.subList(0, Math.min(SHOWN, withoutFile.size())));
      }
    }
  }

  static Report run(DataFiles files, MetaDb db) throws IOException {
    int temporaries = files.removeTemporaries();
    Recovery recovery = new Recovery(files, db);
    for (int directory = 0; directory < DataFiles.DIRECTORIES; directory++) {
      recovery.compare(directory);
    }
    return new Report(temporaries, recovery.orphans, recovery.missing);
  }

  private void compare(int directory) throws IOException {
    Iterator<String> present = files.idsIn(directory).iterator();
    byte[] first = {(byte) directory};
    try (MetaDb.Cursor named = db.cursor(Family.FILES, first).first()) {
      String file = next(present);
      String name = name(first, named);
      while (file != null || name != null) {
        int order = file == null ? 1 : name == null ? -1 : file.compareTo(name);
        if (order < 0) {
          files.remove(file);
          orphans++;
        } else if (order > 0) {
          missing.add(MetaCodec.decodeFile(name, named.value()).owner());
        }
        if (order <= 0) {
          file = next(present);
        }
        if (order >= 0) {
          named.next();
          name = name(first, named);
        }
      }
    }
  }

  private static String next(Iterator<String> ids) {
    return ids.hasNext() ? ids.next() : null;
  }

  private static String name(byte[] first, MetaDb.Cursor cursor) throws IOException {
    byte[] rest = cursor.key();
    return rest == null ? null : MetaKeys.idText(Utf8.concat(first, rest));
  }
}
