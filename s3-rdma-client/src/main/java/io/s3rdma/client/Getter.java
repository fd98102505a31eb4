package io.s3rdma.client;

import io.s3rdma.client.RdmaAttempts.NoRdma;
import io.s3rdma.client.transport.Grant;
import io.s3rdma.client.transport.LeanAnswer;
import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkClientException;
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
    Received received =
        context.lean().filter(lean -> lean.takes(request)).isPresent()
            ? byLean(request, buffer, grant)
            : bySdk(request, buffer, slot, grant);
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

  private Received bySdk(
      GetObjectRequest request, TransferBuffer buffer, String slot, Grant grant) {
    GetObjectRequest withSlot =
        request.toBuilder().overrideConfiguration(context.tokenHeaders(slot)).build();
    return context
        .tokenS3()
        .getObject(
            withSlot,
            (response, body) ->
                receive(
                    Described.of(response),
                    RdmaAnswer.of(response.sdkHttpResponse()),
                    body,
                    body::abort,
                    buffer,
                    grant));
  }

  private Received byLean(GetObjectRequest request, TransferBuffer buffer, Grant grant) {
    LeanCalls lean = context.lean().orElseThrow();
    try (LeanAnswer answer =
        lean.get(request, grant.mint(), context.deadlineMillis(), context.answerPatienceMillis())) {
      Described described =
          new Described(
              answer.header("etag").orElse(null),
              answer.header("content-range").map(ContentRange::parse));
      RdmaAnswer rdma = RdmaAnswer.of(answer::header);
      return receive(described, rdma, answer.body(), answer::close, buffer, grant);
    } catch (IOException e) {
      throw SdkClientException.create("the answer's body did not come: " + e.getMessage(), e);
    }
  }

  /** What an answer says of the object. */
  private record Described(String etag, Optional<ContentRange> range) {
    static Described of(GetObjectResponse response) {
      return new Described(
          response.eTag(), Optional.ofNullable(response.contentRange()).map(ContentRange::parse));
    }
  }

  private record Received(Described object, RdmaAnswer answer, long httpBytes) {}

  private Received receive(
      Described object,
      RdmaAnswer answer,
      InputStream body,
      Runnable abort,
      TransferBuffer buffer,
      Grant grant)
      throws IOException {
    if (answer.moved()) {
      requireWhole(object, answer);
      return new Received(object, answer, 0);
    }
    if (context.policy() == RdmaPolicy.REQUIRE) {
      grant.settle(true);
      abort.run(); // the bytes are not wanted this way
      return new Received(object, answer, 0);
    }
    // P-4.7: the object comes in this body. Nobody writes by RDMA now, and the key goes first.
    grant.settle(true);
    return new Received(object, answer, HttpCopies.fill(buffer, body));
  }

  /** P-4.6: bytes-transferred equals what the answer says was selected. */
  private static void requireWhole(Described object, RdmaAnswer answer) {
    Optional<Long> selected = object.range().map(ContentRange::lengthBytes);
    if (answer.bytes() < 0 || (selected.isPresent() && selected.get() != answer.bytes())) {
      throw new TransferFailedException(
          "the server says it moved "
              + answer.bytes()
              + " bytes by RDMA where "
              + selected.map(Object::toString).orElse("some count")
              + " were selected");
    }
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
                            Described.of(response),
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
        received.object.range().map(ContentRange::objectBytes).orElse(bytes + received.httpBytes);
    return new TransferResult(
        rdma ? Transport.RDMA : Transport.HTTP,
        bytes,
        received.httpBytes,
        received.answer.evidence(),
        attempts,
        httpReason,
        way,
        objectBytes,
        received.object.etag());
  }
}
