package io.s3rdma.server.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Brings files and metadata together after a crash. A version's file is in place before its
 * metadata, so a crash leaves files that nothing names: they go. Metadata without a file is a
 * damage that is told, and kept, since the file may come back with a backup.
 */
final class Recovery {
  private Recovery() {}

  /** What was found at the start. */
  record Report(int temporariesRemoved, int orphansRemoved, List<String> withoutFile) {
    Report {
      withoutFile = List.copyOf(withoutFile);
    }

    boolean isClean() {
      return temporariesRemoved == 0 && orphansRemoved == 0 && withoutFile.isEmpty();
    }
  }

  static Report run(DataFiles files, MetaDb db) throws IOException {
    int temporaries = files.removeTemporaries();
    Set<String> present = new HashSet<>();
    files.forEach(present::add);
    List<String> missing = new ArrayList<>();
    db.forEachObject(
        meta -> {
          if (!present.remove(meta.id())) {
            missing.add(meta.bucket() + "/" + meta.key());
          }
        });
    for (String orphan : present) {
      files.remove(orphan);
    }
    return new Report(temporaries, present.size(), missing);
  }
}
