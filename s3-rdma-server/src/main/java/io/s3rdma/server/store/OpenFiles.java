package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Data files that were read lately stay open, since opening one costs more than reading a little of
 * it. A data file never changes and its id is never used again, so an open one is never out of
 * date. Bounded: the one that was used longest ago goes first, and whichever goes is closed by its
 * last reader. Thread-safe; files are opened and closed outside the lock.
 */
final class OpenFiles {
  private static final Logger LOG = LoggerFactory.getLogger(OpenFiles.class);

  private final int keptMax;
  private final Map<String, Shared> kept = new LinkedHashMap<>(16, 0.75f, true);

  OpenFiles(int keptMax) {
    this.keptMax = keptMax;
  }

  /** Opens a file that is not open yet. */
  interface Opener {
    FileChannel open(String id) throws IOException;
  }

  /** A reader's hold on an open file; closed once. */
  final class Held implements AutoCloseable {
    private final Shared shared;

    private Held(Shared shared) {
      this.shared = shared;
    }

    /** For positional reads; never closed by the reader. */
    FileChannel channel() {
      return shared.channel;
    }

    @Override
    public void close() {
      letGo(shared);
    }
  }

  private static final class Shared {
    private final FileChannel channel;
    private int holds = 1; // the map's

    Shared(FileChannel channel) {
      this.channel = channel;
    }
  }

  Held open(String id, Opener opener) throws IOException {
    Held held = find(id);
    return held == null ? add(id, opener.open(id)) : held;
  }

  private synchronized Held find(String id) {
    Shared shared = kept.get(id);
    // An interrupted reader's channel is closed.
    return shared == null || !shared.channel.isOpen() ? null : hold(shared);
  }

  private Held hold(Shared shared) {
    shared.holds++;
    return new Held(shared);
  }

  private Held add(String id, FileChannel channel) {
    Shared added = new Shared(channel);
    Held held;
    Shared replaced;
    Shared eldest = null;
    synchronized (this) {
      held = hold(added);
      replaced = kept.put(id, added);
      if (kept.size() > keptMax) {
        Iterator<Shared> all = kept.values().iterator();
        eldest = all.next();
        all.remove();
      }
    }
    drop(replaced);
    drop(eldest);
    return held;
  }

  /** The file's name is gone, or is going. */
  void forget(String id) {
    Shared forgotten;
    synchronized (this) {
      forgotten = kept.remove(id);
    }
    drop(forgotten);
  }

  void forgetAll() {
    while (true) {
      String id;
      synchronized (this) {
        if (kept.isEmpty()) {
          return;
        }
        id = kept.keySet().iterator().next();
      }
      forget(id);
    }
  }

  private void drop(Shared shared) {
    if (shared != null) {
      letGo(shared);
    }
  }

  private void letGo(Shared shared) {
    boolean last;
    synchronized (this) {
      last = --shared.holds == 0;
    }
    if (last) {
      try {
        shared.channel.close();
      } catch (IOException e) {
        LOG.warn("close of a data file: {}", e.toString());
      }
    }
  }
}
