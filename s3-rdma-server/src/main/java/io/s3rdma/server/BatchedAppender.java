package io.s3rdma.server;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.AppenderAttachableImpl;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives log events to other appenders a moment later and many at once, on a thread of its own: for
 * a line a request, where waking a thread and calling the kernel for each line would cost more than
 * the line. The stream of an appender that does not flush by itself is flushed after each batch.
 *
 * <p>Whoever logs never waits: beyond the queue events are lost. {@link #stop} writes what waits.
 * Public for logback's own configuration files.
 */
public final class BatchedAppender extends UnsynchronizedAppenderBase<ILoggingEvent>
    implements AppenderAttachable<ILoggingEvent> {
  private static final int QUEUED_MAX = 8192;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long STOP_MILLIS = 2000;

  private final AppenderAttachableImpl<ILoggingEvent> targets = new AppenderAttachableImpl<>();
  private final BlockingQueue<ILoggingEvent> queue = new ArrayBlockingQueue<>(QUEUED_MAX);
  private volatile Thread writer;
  private volatile boolean waiting;

  @Override
  public void start() {
    super.start();
    writer = Thread.ofPlatform().daemon().name("s3rdma-log").start(this::run);
  }

  @Override
  protected void append(ILoggingEvent event) {
    event.prepareForDeferredProcessing();
    var _ = queue.offer(event);
    if (waiting || queue.size() == QUEUED_MAX / 2) {
      waiting = false;
      LockSupport.unpark(writer);
    }
  }

  private void run() {
    List<ILoggingEvent> batch = new ArrayList<>();
    while (isStarted()) {
      waiting = true;
      if (queue.isEmpty()) {
        LockSupport.park(this);
      }
      waiting = false;
      if (isStarted()) {
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
      write(batch);
    }
    write(batch);
  }

  private void write(List<ILoggingEvent> batch) {
    queue.drainTo(batch);
    batch.forEach(targets::appendLoopOnAppenders);
    if (!batch.isEmpty()) {
      targets.iteratorForAppenders().forEachRemaining(this::flush);
    }
    batch.clear();
  }

  private void flush(Appender<ILoggingEvent> target) {
    if (target instanceof OutputStreamAppender<?> stream && !stream.isImmediateFlush()) {
      OutputStream out = stream.getOutputStream();
      try {
        if (out != null) {
          out.flush();
        }
      } catch (IOException e) {
        addError("the log of " + target.getName() + " cannot be written", e);
      }
    }
  }

  @Override
  public void stop() {
    if (!isStarted()) {
      return;
    }
    super.stop();
    LockSupport.unpark(writer);
    try {
      writer.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    targets.detachAndStopAllAppenders();
  }

  @Override
  public void addAppender(Appender<ILoggingEvent> target) {
    targets.addAppender(target);
  }

  @Override
  public Iterator<Appender<ILoggingEvent>> iteratorForAppenders() {
    return targets.iteratorForAppenders();
  }

  @Override
  public Appender<ILoggingEvent> getAppender(String name) {
    return targets.getAppender(name);
  }

  @Override
  public boolean isAttached(Appender<ILoggingEvent> target) {
    return targets.isAttached(target);
  }

  @Override
  public void detachAndStopAllAppenders() {
    targets.detachAndStopAllAppenders();
  }

  @Override
  public boolean detachAppender(Appender<ILoggingEvent> target) {
    return targets.detachAppender(target);
  }

  @Override
  public boolean detachAppender(String name) {
    return targets.detachAppender(name);
  }
}
