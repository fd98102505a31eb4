package io.s3rdma.server.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One object over pieces of equal length: heap memory, a file, direct memory, a file that lies
 * behind other bytes, and so on. Opens a file only when it is asked for.
 */
final class ScatteredContent implements ObjectContent {
  private static final int BEFORE = 100;

  final CountDownLatch closed = new CountDownLatch(1);
  final AtomicInteger closes = new AtomicInteger();
  final AtomicInteger regions = new AtomicInteger();
  private final int pieceBytes;
  private final List<Object> pieces = new ArrayList<>();
  private final List<FileChannel> open = new ArrayList<>();

  ScatteredContent(byte[] object, int pieceBytes, Path directory) throws IOException {
    this.pieceBytes = pieceBytes;
    for (int at = 0; at < object.length; at += pieceBytes) {
      int length = Math.min(pieceBytes, object.length - at);
      byte[] with = new byte[BEFORE + length];
      System.arraycopy(object, at, with, BEFORE, length);
      int kind = pieces.size() % 4;
      if (kind % 2 == 1) {
        pieces.add(Files.write(Files.createTempFile(directory, "piece", ""), with));
      } else {
        ByteBuffer memory =
            kind == 0 ? ByteBuffer.allocate(length) : ByteBuffer.allocateDirect(length);
        pieces.add(memory.put(object, at, length).flip());
      }
    }
  }

  /** Takes the file of a piece away. */
  void lose(int piece) throws IOException {
    Files.delete((Path) pieces.get(piece));
  }

  /** Leaves a piece's file without its last byte. */
  void cut(int piece) throws IOException {
    try (FileChannel file = FileChannel.open((Path) pieces.get(piece), StandardOpenOption.WRITE)) {
      file.truncate(file.size() - 1);
    }
  }

  @Override
  public Region region(long position, long lengthMax) throws IOException {
    regions.incrementAndGet();
    if (closes.get() > 0) {
      throw new IOException("read after close");
    }
    int piece = (int) (position / pieceBytes);
    int within = (int) (position % pieceBytes);
    int length = (int) Math.min(lengthMax, pieceBytes - within);
    if (pieces.get(piece) instanceof ByteBuffer memory) {
      return new Region.OfMemory(memory.slice(within, Math.min(length, memory.limit() - within)));
    }
    FileChannel file = FileChannel.open((Path) pieces.get(piece));
    open.add(file);
    // As said when it was written: a cut file is found by whoever sends it.
    return new Region.OfFile(file, BEFORE + within, length);
  }

  @Override
  public void close() throws IOException {
    closes.incrementAndGet();
    for (FileChannel file : open) {
      file.close();
    }
    closed.countDown();
  }
}
