package io.s3rdma.bench;

import io.s3rdma.rdma.HostBuffer;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.async.AsyncResponseTransformer;
import software.amazon.awssdk.core.async.SdkPublisher;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3AsyncClient;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/**
 * The SDK's native client with its defaults: ranged GETs in parallel. The bytes are copied once,
 * from its buffers into the caller's, which is the least that an application can do with it.
 */
final class CrtWay implements Way {
  private final URI endpoint;
  private S3AsyncClient client;

  CrtWay(URI endpoint) {
    this.endpoint = endpoint;
  }

  private synchronized S3AsyncClient client() {
    if (client == null) {
      client = open();
    }
    return client;
  }

  private S3AsyncClient open() {
    return S3AsyncClient.crtBuilder()
        .endpointOverride(endpoint)
        .region(Region.US_EAST_1)
        .forcePathStyle(true)
        .credentialsProvider(
            StaticCredentialsProvider.create(
                AwsBasicCredentials.create(ServerProcess.ACCESS_KEY, ServerProcess.SECRET_KEY)))
        .build();
  }

  @Override
  public void get(String bucket, String key, HostBuffer into) {
    long size = into.segment().byteSize();
    long bytes = client().getObject(b -> b.bucket(bucket).key(key), new Filler(into)).join();
    if (bytes != size) {
      throw new IllegalStateException("the CRT client gave " + bytes + " of " + size + " bytes");
    }
  }

  /** Its event loops tick as long as it is open. */
  @Override
  public synchronized void rest() {
    if (client != null) {
      client.close();
      client = null;
    }
  }

  @Override
  public void close() {
    rest();
  }

  /** Copies a body into the caller's memory; its result is how many bytes came. */
  private static final class Filler
      implements AsyncResponseTransformer<GetObjectResponse, Long>, Subscriber<ByteBuffer> {
    private final HostBuffer into;
    private CompletableFuture<Long> done = new CompletableFuture<>();
    private ByteBuffer rest;

    Filler(HostBuffer into) {
      this.into = into;
      this.rest = into.segment().asByteBuffer();
    }

    @Override
    public CompletableFuture<Long> prepare() {
      done = new CompletableFuture<>();
      rest = into.segment().asByteBuffer(); // again from its start, if the request is made again
      return done;
    }

    @Override
    public void onResponse(GetObjectResponse response) {}

    @Override
    public void onStream(SdkPublisher<ByteBuffer> publisher) {
      publisher.subscribe(this);
    }

    @Override
    public void exceptionOccurred(Throwable error) {
      done.completeExceptionally(error);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer bytes) {
      rest.put(bytes);
    }

    @Override
    public void onError(Throwable error) {
      done.completeExceptionally(error);
    }

    @Override
    public void onComplete() {
      done.complete((long) rest.position());
    }
  }
}
