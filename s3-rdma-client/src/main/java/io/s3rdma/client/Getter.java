package io.s3rdma.client;

import io.s3rdma.client.RdmaAttempts.NoRdma;
import io.s3rdma.client.transport.Grant;
import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.util.Optional;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/** GET into a buffer, by RDMA or HTTP. Stateless. */
final class Getter {
  private static final long TOKEN_BYTES_MAX = 0xffff_ffffL;

  private final ClientContext context;

  Getter(ClientContext context) {
    this.context = context;
  }

  TransferResult get(GetObjectRequest request, long windowBytes, TransferBuffer buffer) {
    if (context.policy() == RdmaPolicy.NEVER) {
      return overHttp(request, buffer, "policy NEVER", 0, Optional.empty());
    }
    long window = Math.min(windowBytes, TOKEN_BYTES_MAX);
    try {
      return new RdmaAttempts(context, buffer, window, TransferRight.REMOTE_WRITE)
          .run((slot, grant, attempt) -> once(request, buffer, slot, grant, attempt));
    } catch (NoRdma e) {
      String reason = context.withoutRdma(e.getMessage(), e.getCause());
      return overHttp(request, buffer, reason, e.attempts(), Optional.empty());
    }
  }

  private TransferResult once(
      GetObjectRequest request, TransferBuffer buffer, String slot, Grant grant, int attempt) {
    GetObjectRequest withSlot =
        request.toBuilder().overrideConfiguration(context.tokenHeaders(slot)).build();
    Received received =
        context
            .tokenS3()
            .getObject(withSlot, (response, body) -> receive(response, body, buffer, grant));
    if (!received.answer.moved()) {
      String reason = context.withoutRdma(received.answer.whyNot(), null);
      return result(received, attempt, Optional.of(reason), Optional.of(grant.way()));
    }
    // The key is taken back before the bytes are looked at (RFC 8166 8.1.3), then the memory's own
    // fence.
    grant.settle(true);
    buffer.fenceRemoteWrites();
    return result(received, attempt, Optional.empty(), Optional.of(grant.way()));
  }

  private record Received(GetObjectResponse response, RdmaAnswer answer, long httpBytes) {}

  private Received receive(
      GetObjectResponse response, AbortableInputStream body, TransferBuffer buffer, Grant grant)
      throws java.io.IOException {
    RdmaAnswer answer = RdmaAnswer.of(response.sdkHttpResponse());
    if (answer.moved()) {
      requireWhole(response, answer);
      return new Received(response, answer, 0);
    }
    if (context.policy() == RdmaPolicy.REQUIRE) {
      grant.settle(true);
      body.abort(); // the bytes are not wanted this way
      return new Received(response, answer, 0);
    }
    // P-4.7: the object comes in this body. Nobody writes by RDMA now, and the key goes first.
    grant.settle(true);
    return new Received(response, answer, HttpCopies.fill(buffer, body));
  }

  /** P-4.6: bytes-transferred equals what the answer says was selected. */
  private static void requireWhole(GetObjectResponse response, RdmaAnswer answer) {
    Optional<Long> selected = selectedBytes(response);
    if (answer.bytes() < 0 || (selected.isPresent() && selected.get() != answer.bytes())) {
      throw new TransferFailedException(
          "the server says it moved "
              + answer.bytes()
              + " bytes by RDMA where "
              + selected.map(Object::toString).orElse("some count")
              + " were selected");
    }
  }

  private static Optional<Long> selectedBytes(GetObjectResponse response) {
    return Optional.ofNullable(response.contentRange())
        .map(ContentRange::parse)
        .map(ContentRange::lengthBytes);
  }

  TransferResult overHttp(
      GetObjectRequest request,
      TransferBuffer buffer,
      String reason,
      int attempts,
      Optional<RegistrationWay> way) {
    Received received =
        context
            .plainS3()
            .getObject(
                request,
                ResponseTransformerOf.of(
                    (response, body) ->
                        new Received(
                            response,
                            new RdmaAnswer(Optional.empty(), -1, Optional.empty(), ""),
                            HttpCopies.fill(buffer, body))));
    return result(received, attempts + 1, Optional.of(reason), way);
  }

  /** Lets a lambda with a checked exception be a transformer that may run again on a retry. */
  private interface ResponseTransformerOf<T> {
    T apply(GetObjectResponse response, AbortableInputStream body) throws Exception;

    static <T> ResponseTransformer<GetObjectResponse, T> of(ResponseTransformerOf<T> f) {
      return f::apply;
    }
  }

  private static TransferResult result(
      Received received, int attempts, Optional<String> httpReason, Optional<RegistrationWay> way) {
    boolean rdma = received.answer.moved();
    long bytes = rdma ? received.answer.bytes() : 0;
    long objectBytes =
        Optional.ofNullable(received.response.contentRange())
            .map(ContentRange::parse)
            .map(ContentRange::objectBytes)
            .orElse(bytes + received.httpBytes);
    return new TransferResult(
        rdma ? Transport.RDMA : Transport.HTTP,
        bytes,
        received.httpBytes,
        received.answer.evidence(),
        attempts,
        httpReason,
        way,
        objectBytes,
        received.response.eTag());
  }
}
