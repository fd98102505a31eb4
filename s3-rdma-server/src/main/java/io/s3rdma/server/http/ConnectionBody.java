package io.s3rdma.server.http;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The raw body of one request between the event loop, which offers what arrived, and the operation
 * thread, which reads.
 *
 * <p>Bounded: above the high mark the event loop stops reading from the socket; the reader asks for
 * more below half of it. The memory of all bodies together is bounded too. After {@link #abandon}
 * everything is dropped.
 */
final class ConnectionBody implements RequestBody {
  private final int highMark;
  private final BodyMemory memory;
  private final Runnable requestMore;
  private final Runnable beforeFirstWait;
  private final Deque<ByteBuf> arrived = new ArrayDeque<>();
  private int queued;
  private boolean paused;
  private boolean ended;
  private boolean abandoned;
  private boolean waitedOnce;
  private IOException failure;
  private S3Exception refusal;
  private long consumed;

  /** {@code beforeFirstWait} sends 100-continue where the client waits for it. */
  ConnectionBody(int highMark, BodyMemory memory, Runnable requestMore, Runnable beforeFirstWait) {
    this.memory = memory;
    this.highMark = highMark;
    this.requestMore = requestMore;
    this.beforeFirstWait = beforeFirstWait;
  }

  /** Event loop: takes ownership; true if the socket may be read on. */
  synchronized boolean offer(ByteBuf content) {
    if (abandoned || !content.isReadable()) {
      content.release();
      return true;
    }
    arrived.add(content);
    queued += content.readableBytes();
    memory.add(content.readableBytes());
    notifyAll();
    paused = queued >= highMark || memory.isFull();
    return !paused;
  }

  /** Event loop. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Event loop: the connection is gone or its framing is broken. */
  synchronized void fail(IOException cause) {
    if (!ended && failure == null) {
      failure = cause;
    }
    notifyAll();
  }

  /** Event loop: what arrived still counts, but the rest is not waited for. */
  synchronized void refuse(S3Exception cause) {
    if (!ended && failure == null && refusal == null) {
      refusal = cause;
    }
    notifyAll();
  }

  /** Drops what came and what will come; true if reading had been paused. */
  synchronized boolean abandon() {
    abandoned = true;
    arrived.forEach(ByteBuf::release);
    arrived.clear();
    memory.add(-queued);
    queued = 0;
    boolean wasPaused = paused;
    paused = false;
    return wasPaused;
  }

  /** Nothing more of this body will come. */
  synchronized boolean isEnded() {
    return ended || failure != null;
  }

  synchronized long consumed() {
    return consumed;
  }

  @Override
  public int read(ByteBuffer dst) throws IOException {
    boolean resume;
    int count;
    synchronized (this) {
      awaitContent();
      if (arrived.isEmpty()) {
        if (failure != null) {
          throw failure;
        }
        if (refusal != null) {
          throw refusal;
        }
        return -1;
      }
      count = take(dst);
      // Whoever has nothing left may always have one message more, or nobody would go on.
      boolean room = queued == 0 || (queued < highMark / 2 && !memory.isFull());
      resume = paused && room;
      paused = paused && !resume;
    }
    if (resume) {
      requestMore.run();
    }
    return count;
  }

  private void awaitContent() throws IOException {
    while (arrived.isEmpty() && !ended && failure == null && refusal == null) {
      if (abandoned) {
        throw new IOException("read of a request body after its answer");
      }
      if (!waitedOnce) {
        waitedOnce = true;
        beforeFirstWait.run();
      }
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while the request body was read; the server stops", e);
      }
    }
  }

  private int take(ByteBuffer dst) {
    int count = 0;
    while (!arrived.isEmpty() && dst.hasRemaining()) {
      ByteBuf head = arrived.peek();
      int step = Math.min(head.readableBytes(), dst.remaining());
      head.readBytes(dst.slice(dst.position(), step));
      dst.position(dst.position() + step);
      count += step;
      if (!head.isReadable()) {
        arrived.poll().release();
      }
    }
    queued -= count;
    memory.add(-count);
    consumed += count;
    return count;
  }
}
