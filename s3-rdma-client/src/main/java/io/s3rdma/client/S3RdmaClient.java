package io.s3rdma.client;

import io.s3rdma.client.transport.RdmaTransport;
import io.s3rdma.rdma.TransferBuffer;
import java.util.Objects;
import java.util.concurrent.Callable;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/**
 * GET into and PUT out of registered memory. Thread-safe: each call uses its own connection and
 * window; calls on one buffer must use disjoint slices.
 *
 * <p>Ownership: the caller owns the buffers and closes them; while a call runs a buffer refuses to
 * close. A buffer whose fence failed is quarantined and never freed. SDK exceptions come through
 * untouched; {@link RdmaRequiredException} and {@link TransferFailedException} are ours.
 */
public final class S3RdmaClient implements AutoCloseable {
  private final ClientContext context;
  private final LazyTransport transport;
  private final SdkHttpClient http;

  S3RdmaClient(ClientContext context, LazyTransport transport, SdkHttpClient http) {
    this.context = context;
    this.transport = transport;
    this.http = http;
  }

  /** A builder with the defaults. */
  public static S3RdmaClientBuilder builder() {
    return new S3RdmaClientBuilder();
  }

  /** The SDK client for everything that moves no bulk bytes; closed with this client. */
  public S3Client s3() {
    return context.plainS3();
  }

  /** The rail in use, opening it if need be. */
  public String rail() {
    RdmaTransport open = transport.get();
    return open.rail();
  }

  /** GET of a whole object into the buffer's first bytes. The buffer must be large enough. */
  public TransferResult getObject(String bucket, String key, TransferBuffer buffer) {
    GetObjectRequest request = GetObjectRequest.builder().bucket(bucket).key(key).build();
    return get(request, 0, buffer.lengthBytes(), buffer);
  }

  /** GET of a range into the buffer's first bytes: a range never shifts the window (P-4.2). */
  public TransferResult getObject(
      String bucket, String key, ByteRange range, TransferBuffer buffer) {
    return getObject(GetObjectRequest.builder().bucket(bucket).key(key).build(), range, buffer);
  }

  /**
   * The same with conditions, a version and whatever else the request says; its range is replaced.
   */
  public TransferResult getObject(
      GetObjectRequest request, ByteRange range, TransferBuffer buffer) {
    Objects.requireNonNull(range);
    if (range.lengthBytes() > buffer.lengthBytes()) {
      throw new IllegalArgumentException(
          "a range of %d bytes does not fit a buffer of %d"
              .formatted(range.lengthBytes(), buffer.lengthBytes()));
    }
    GetObjectRequest ranged = request.toBuilder().range(range.header()).build();
    return get(ranged, range.offset(), range.lengthBytes(), buffer);
  }

  private TransferResult get(
      GetObjectRequest request, long start, long windowBytes, TransferBuffer buffer) {
    return new StagedTransfers(context)
        .get(request, windowBytes, buffer)
        .orElseGet(
            () ->
                windowBytes > context.parts().fromBytes()
                    ? parted().get(request, start, windowBytes, buffer)
                    : new Getter(context).get(request, windowBytes, buffer));
  }

  private PartedTransfers parted() {
    return new PartedTransfers(context, context.parts());
  }

  /** PUT of the whole buffer. */
  public TransferResult putObject(String bucket, String key, TransferBuffer buffer) {
    return putObject(
        PutObjectRequest.builder().bucket(bucket).key(key).build(), buffer, buffer.lengthBytes());
  }

  /** PUT of the buffer's first bytes; 0 stores an empty object, by HTTP (P-4.4). */
  public TransferResult putObject(
      PutObjectRequest request, TransferBuffer buffer, long lengthBytes) {
    Objects.checkFromIndexSize(0, lengthBytes, buffer.lengthBytes());
    return new StagedTransfers(context)
        .put(request, lengthBytes, buffer)
        .orElseGet(
            () ->
                lengthBytes > context.parts().fromBytes()
                    ? parted().put(request, lengthBytes, buffer)
                    : new Putter(context).put(request, lengthBytes, buffer));
  }

  /**
   * PUT of what a source gives, as a multipart upload: for objects that do not fit memory. Nothing
   * is left of it at the server when it fails.
   *
   * @param lengthBytes of the object, at least 1
   * @param buffers gives a buffer for each of the parts in flight, of {@link #partBytesFor} bytes;
   *     they are closed at the end
   */
  public TransferResult putObject(
      PutObjectRequest request,
      long lengthBytes,
      PartSource source,
      Callable<? extends TransferBuffer> buffers) {
    if (lengthBytes < 1) {
      throw new IllegalArgumentException("an object of parts has at least 1 byte");
    }
    return parted().put(request, lengthBytes, source, buffers);
  }

  /** How large the parts of an object are. */
  public long partBytesFor(long lengthBytes) {
    return context.parts().fitting(lengthBytes).partBytes();
  }

  /** Ends connections, registrations and HTTP. Call it when no transfer runs. */
  @Override
  public void close() {
    transport.close();
    context.lean().ifPresent(LeanCalls::close);
    context.tokenS3().close();
    context.plainS3().close();
    http.close();
  }
}
