package io.s3rdma.counters;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;

/**
 * One counter's file, kept open: a transfer's two reads are two system calls and not a dozen. The
 * kernel prints the value anew for each read from the file's start.
 *
 * <p>Threads: any read; opening and closing are guarded by this object's lock. A file that cannot
 * be read is opened anew once: its device went and came back, or a thread that was interrupted
 * while it read closed it.
 */
final class CounterFile implements AutoCloseable {
  private static final int LENGTH_MAX = 64;
  private static final int TRIES = 2;

  private final Path path;
  private volatile FileChannel channel;
  private boolean closed;

  CounterFile(Path path) {
    this.path = path;
  }

  /** The unsigned value; empty if there is none, or it is no number. An interrupt is kept. */
  OptionalLong read() {
    boolean interrupted = Thread.interrupted(); // it would close the file
    try {
      for (int tries = 0; tries < TRIES; tries++) {
        FileChannel open = null;
        try {
          open = open();
          return open == null ? OptionalLong.empty() : read(open);
        } catch (IOException e) {
          interrupted |= Thread.interrupted();
          forget(open);
        }
      }
      return OptionalLong.empty(); // absent, not permitted, or a device without this counter
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static OptionalLong read(FileChannel open) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH_MAX);
    int length = Math.max(0, open.read(bytes, 0));
    return CounterReader.numberOf(new String(bytes.array(), 0, length, US_ASCII));
  }

  /** Null once closed. */
  private FileChannel open() throws IOException {
    FileChannel kept = channel;
    return kept == null ? openNow() : kept;
  }

  private synchronized FileChannel openNow() throws IOException {
    if (channel == null && !closed) {
      channel = FileChannel.open(path, StandardOpenOption.READ);
    }
    return channel;
  }

  private synchronized void forget(FileChannel broken) {
    if (broken != null && broken.equals(channel)) {
      channel = null;
      end(broken);
    }
  }

  /** Later reads are empty. */
  @Override
  public synchronized void close() {
    closed = true;
    if (channel != null) {
      end(channel);
      channel = null;
    }
  }

  private static void end(FileChannel open) {
    try {
      open.close();
    } catch (IOException e) {
      throw new UncheckedIOException("a counter's file cannot be closed", e);
    }
  }
}
