package io.s3rdma.server.store;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps the files of a version that is being read, after the version is gone.
 *
 * <p>An opened object pins its data id until it is closed. Who removes data asks first: pinned
 * files are left to the last reader. An id that is being removed cannot be pinned any more, so a
 * reader sees all files of a version or none. All methods from any thread; no lock is taken inside.
 */
final class Pins {
  private final Map<String, Integer> readers = new HashMap<>();
  private final Map<String, List<String>> left = new HashMap<>();
  private final Set<String> going = new HashSet<>();

  /** False if the data are being removed: look the key up again. */
  synchronized boolean pin(String id) {
    if (going.contains(id) || left.containsKey(id)) {
      return false;
    }
    readers.merge(id, 1, Integer::sum);
    return true;
  }

  /** The files that the caller has to remove now; then {@link #gone}. */
  synchronized List<String> unpin(String id) {
    if (readers.merge(id, -1, Integer::sum) > 0) {
      return List.of();
    }
    readers.remove(id);
    List<String> files = left.remove(id);
    if (files == null) {
      return List.of();
    }
    going.add(id);
    return files;
  }

  /** Whether the caller may remove the files now; then {@link #gone}. Else the last reader does. */
  synchronized boolean mayRemove(String id, List<String> files) {
    if (readers.containsKey(id)) {
      left.put(id, files);
      return false;
    }
    going.add(id);
    return true;
  }

  synchronized void gone(String id) {
    going.remove(id);
  }
}
