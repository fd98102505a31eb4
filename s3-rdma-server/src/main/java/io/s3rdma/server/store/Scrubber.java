package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads every data file again, at a bounded rate, and compares it with what was written. Rot is
 * told and never repaired or hidden: the object stays as it is.
 *
 * <p>One thread. A round goes through the files in the order of their ids; where it is, is kept in
 * the metadata, so that a restart goes on. The small objects in the metadata are not read: RocksDB
 * checks each block it reads. Closed before the metadata.
 */
final class Scrubber implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Scrubber.class);
  private static final byte[] PLACE = Utf8.octets("scrub-place");
  private static final byte[] DONE = Utf8.octets("scrub-done");
  private static final int PAGE = 64;
  private static final int SHOWN = 20;
  private static final long CHECK_MINUTES = 1;

  private final MetaDb db;
  private final DataFiles files;
  private final Clock clock;
  private final Duration interval;
  private final long bytesPerSecond;
  private final Thread thread = new Thread(this::run, "s3-scrub");
  private final Deque<String> recent = new ArrayDeque<>();
  private long filesRead;
  private long bytesRead;
  private long rotten;
  private volatile boolean closed;

  Scrubber(MetaDb db, DataFiles files, Clock clock, Duration interval, long bytesPerSecond) {
    this.db = db;
    this.files = files;
    this.clock = clock;
    this.interval = interval;
    this.bytesPerSecond = bytesPerSecond;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        if (isDue()) {
          round();
        }
        TimeUnit.MINUTES.sleep(CHECK_MINUTES);
      } catch (InterruptedException e) {
        LOG.debug("scrubbing stops", e);
        return;
      } catch (IOException | RuntimeException e) {
        if (!closed) {
          LOG.error("scrubbing stopped until the next start: {}", e.toString(), e);
        }
        return;
      }
    }
  }

  private boolean isDue() throws IOException {
    Optional<Instant> done = lastRound();
    return done.isEmpty() || !done.get().plus(interval).isAfter(clock.instant());
  }

  /** Reads all files from where the last round was left. */
  void round() throws IOException {
    byte[] place = place();
    List<FileRecord> page;
    do {
      page = page(place);
      for (FileRecord file : page) {
        if (closed) {
          return;
        }
        check(file);
        place = Utf8.concat(MetaKeys.id(file.id()), new byte[1]);
      }
      remember(PLACE, place);
    } while (!page.isEmpty());
    remember(PLACE, new byte[0]);
    remember(DONE, MetaKeys.longOctets(clock.millis()));
    ScrubState state = state();
    LOG.info(
        "scrubbed all data files: {} files and {} bytes since the start, {} rotten",
        state.files(),
        state.bytes(),
        state.rotten());
  }

  /** A few rows, so that no cursor is held while files are read. */
  private List<FileRecord> page(byte[] from) throws IOException {
    List<FileRecord> page = new ArrayList<>();
    try (MetaDb.Cursor cursor = db.cursor(Family.FILES, new byte[0]).seek(from)) {
      for (byte[] key = cursor.key(); key != null && page.size() < PAGE; key = cursor.key()) {
        page.add(MetaCodec.decodeFile(MetaKeys.idText(key), cursor.value()));
        cursor.next();
      }
    }
    return page;
  }

  private void check(FileRecord file) throws IOException {
    Optional<String> problem = problemOf(file);
    // Deleted meanwhile is no rot.
    if (problem.isPresent() && db.get(Family.FILES, MetaKeys.id(file.id())) != null) {
      LOG.error(
          "rot: data file {} of {} {}; PUT the object again or restore the file from a backup",
          file.id(),
          file.owner(),
          problem.get());
      found(file);
    }
  }

  private Optional<String> problemOf(FileRecord file) {
    try (FileChannel channel = files.open(file.id())) {
      if (channel.size() != file.size()) {
        return Optional.of("has " + channel.size() + " bytes instead of " + file.size());
      }
      int crc = FileCrc.of(channel, this::read);
      counted();
      return crc == file.crc32c() || closed
          ? Optional.empty()
          : Optional.of("has other bytes than were written (CRC-32C)");
    } catch (NoSuchFileException e) {
      return Optional.of("is not there");
    } catch (IOException e) {
      return Optional.of("cannot be read: " + e.getMessage());
    }
  }

  /** Waits so long that the rate is kept. */
  private void read(int octets) {
    synchronized (this) {
      bytesRead += octets;
    }
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1) * octets / bytesPerSecond);
  }

  private synchronized void counted() {
    filesRead++;
  }

  private synchronized void found(FileRecord file) {
    rotten++;
    recent.addLast(file.owner());
    if (recent.size() > SHOWN) {
      recent.removeFirst();
    }
  }

  ScrubState state() throws IOException {
    Optional<Instant> last = lastRound();
    synchronized (this) {
      return new ScrubState(filesRead, bytesRead, rotten, List.copyOf(recent), last);
    }
  }

  private Optional<Instant> lastRound() throws IOException {
    byte[] millis = db.get(Family.FACTS, DONE);
    return millis == null
        ? Optional.empty()
        : Optional.of(Instant.ofEpochMilli(ByteBuffer.wrap(millis).getLong()));
  }

  private byte[] place() throws IOException {
    byte[] place = db.get(Family.FACTS, PLACE);
    return place == null ? new byte[0] : place;
  }

  private void remember(byte[] fact, byte[] value) throws IOException {
    try (MetaBatch batch = db.batch()) {
      db.write(batch.put(Family.FACTS, fact, value));
    }
  }

  /** Idempotent; ends within one read of a file. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
