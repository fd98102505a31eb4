package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.MDC;

class BatchedAppenderTest {
  private final LoggerContext context = new LoggerContext();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @AfterEach
  void stop() {
    context.stop();
  }

  @Test
  void shouldWriteEveryLineInOrderWhenStopped() {
    Logger logger = logger(out);
    for (int i = 0; i < 5_000; i++) {
      logger.info("{}", i);
    }

    context.stop();

    assertThat(lines()).containsExactlyElementsOf(numbers(5_000));
  }

  @Test
  void shouldWriteALineWithoutBeingStopped() throws InterruptedException {
    CountDownLatch written = new CountDownLatch(1);
    Logger logger =
        logger(
            new OutputStream() {
              @Override
              public void write(int octet) {
                written.countDown();
              }
            });

    logger.info("a line");

    assertThat(written.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void shouldCallTheKernelOnceForManyLines() {
    AtomicInteger writes = new AtomicInteger();
    Logger logger =
        logger(
            new OutputStream() {
              @Override
              public void write(int octet) {
                throw new AssertionError("not octet by octet");
              }

              @Override
              public void write(byte[] octets, int from, int count) {
                writes.incrementAndGet();
                out.write(octets, from, count);
              }
            });
    for (int i = 0; i < 1_000; i++) {
      logger.info("{}", i);
    }

    context.stop();

    assertThat(lines()).hasSize(1_000);
    assertThat(writes.get()).isLessThan(500);
  }

  @Test
  void shouldNotWaitWhenTheReaderDoesNotRead() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    Logger logger =
        logger(
            new OutputStream() {
              @Override
              public void write(int octet) {
                try {
                  gate.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              }
            });
    Thread caller =
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 30_000; i++) {
                    logger.info("{}", i);
                  }
                });

    caller.join(TimeUnit.SECONDS.toMillis(60));

    assertThat(caller.isAlive()).isFalse();
    gate.countDown();
  }

  private List<String> lines() {
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static List<String> numbers(int count) {
    return IntStream.range(0, count).mapToObj(Integer::toString).toList();
  }

  private Logger logger(OutputStream stream) {
    context.setMDCAdapter(MDC.getMDCAdapter());
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    encoder.start();
    OutputStreamAppender<ILoggingEvent> target = new OutputStreamAppender<>();
    target.setContext(context);
    target.setEncoder(encoder);
    target.setImmediateFlush(false);
    target.setOutputStream(new BufferedOutputStream(stream));
    target.start();
    BatchedAppender batched = new BatchedAppender();
    batched.setContext(context);
    batched.addAppender(target);
    batched.start();
    ch.qos.logback.classic.Logger logger = context.getLogger("batched");
    logger.setAdditive(false);
    logger.addAppender(batched);
    return logger;
  }
}
