package io.s3rdma.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waiting for what a device tells by itself, and being called away from it. */
@Tag("device")
@Timeout(60)
final class AsyncEventWaitTest {
  private static final int LONG_MILLIS = 600_000;

  private final RdmaDevice device = Rdma.open(Rdma.deviceNames().getFirst());

  @AfterEach
  void close() {
    device.close();
  }

  @Test
  void shouldReturnEmptyWhenTheTimeIsOver() {
    assertThat(device.awaitAsyncEvent(1)).isEmpty();
  }

  @Test
  void shouldReturnAtOnceWhenWokenBefore() {
    device.wake();
    device.wake();
    assertThat(device.awaitAsyncEvent(LONG_MILLIS)).isEmpty();
    assertThat(device.awaitAsyncEvent(1)).as("both are used up").isEmpty();
  }

  @Test
  void shouldReturnWhenWokenMeanwhile() throws Exception {
    CompletableFuture<Optional<AsyncEvent>> waiting = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform().start(() -> waiting.complete(device.awaitAsyncEvent(LONG_MILLIS)));
    device.wake();
    assertThat(waiting.get(30, TimeUnit.SECONDS)).isEmpty();
    thread.join();
  }
}
