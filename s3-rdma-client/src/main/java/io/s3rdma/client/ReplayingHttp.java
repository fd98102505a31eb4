package io.s3rdma.client;

import io.s3rdma.client.transport.LeanAnswer;
import java.io.IOException;
import java.util.function.Supplier;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpFullResponse;

/**
 * An HTTP client that can give the SDK an answer that has come already, so that the SDK makes of a
 * refusal the exception that it always makes. Thread-safe; a replay is its thread's.
 */
final class ReplayingHttp implements SdkHttpClient {
  private static final ThreadLocal<LeanAnswer> REPLAYED = new ThreadLocal<>();

  private final SdkHttpClient delegate;

  ReplayingHttp(SdkHttpClient delegate) {
    this.delegate = delegate;
  }

  /** Makes the call, whose first request on this thread gets {@code answer} and is not sent. */
  <T> T replay(LeanAnswer answer, Supplier<T> call) {
    REPLAYED.set(answer);
    try {
      return call.get();
    } finally {
      REPLAYED.remove();
    }
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    LeanAnswer answer = REPLAYED.get();
    if (answer == null) {
      return delegate.prepareRequest(request);
    }
    REPLAYED.remove();
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        AbortableInputStream body = AbortableInputStream.create(answer.body());
        return HttpExecuteResponse.builder()
            .response(
                SdkHttpFullResponse.builder()
                    .statusCode(answer.status())
                    .statusText(answer.reason())
                    .headers(answer.headers())
                    .build())
            .responseBody(body)
            .build();
      }

      @Override
      public void abort() {
        answer.close();
      }
    };
  }

  @Override
  public void close() {
    delegate.close();
  }
}
