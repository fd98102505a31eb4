package io.s3rdma.client;

import io.s3rdma.client.RdmaAttempts.NoRdma;
import io.s3rdma.client.transport.Grant;
import io.s3rdma.client.transport.LeanAnswer;
import io.s3rdma.rdma.RegistrationWay;
import io.s3rdma.rdma.TransferBuffer;
import io.s3rdma.rdma.TransferRight;
import java.util.Optional;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** PUT out of a buffer, by RDMA or HTTP. Stateless. */
final class Putter {
  private static final long TOKEN_BYTES_MAX = 0xffff_ffffL;

  private final ClientContext context;

  Putter(ClientContext context) {
    this.context = context;
  }

  TransferResult put(PutObjectRequest request, long lengthBytes, TransferBuffer buffer) {
    return put(PutTarget.object(request), lengthBytes, buffer).result();
  }

  /** How it went, and the CRC32C that the server states, null for none. */
  record Put(TransferResult result, String crc32c) {}

  Put put(PutTarget target, long lengthBytes, TransferBuffer buffer) {
    if (context.policy() == RdmaPolicy.NEVER) {
      return overHttp(target, buffer, lengthBytes, "policy NEVER", 0);
    }
    if (lengthBytes == 0) {
      // P-4.4: there is nothing to move, so no policy is hurt.
      return overHttp(target, buffer, 0, "empty objects travel by HTTP", 0);
    }
    if (lengthBytes > TOKEN_BYTES_MAX) {
      String reason =
          context.withoutRdma("one token covers at most 4 GiB - 1, this is " + lengthBytes, null);
      return overHttp(target, buffer, lengthBytes, reason, 0);
    }
    try {
      return new RdmaAttempts(context, buffer, lengthBytes, TransferRight.REMOTE_READ)
          .run((slot, grant, attempt) -> once(target, buffer, lengthBytes, slot, grant, attempt));
    } catch (NoRdma e) {
      String reason = context.withoutRdma(e.getMessage(), e.getCause());
      return overHttp(target, buffer, lengthBytes, reason, e.attempts());
    }
  }

  private Put once(
      PutTarget target,
      TransferBuffer buffer,
      long lengthBytes,
      String slot,
      Grant grant,
      int attempt) {
    // P-1.5. Also what makes a server that ignores the token refuse the empty body (P-4.6).
    String crc32c = context.putChecksum() ? Checksums.crc32c(buffer, lengthBytes) : null;
    Answered stored =
        target instanceof PutTarget.WholeObject whole
                && context.lean().filter(lean -> lean.takes(whole.request())).isPresent()
            ? byLean(whole.request(), crc32c, grant)
            : bySdk(target, crc32c, slot);
    RdmaAnswer answer = stored.answer();
    if (!answer.moved() || answer.bytes() != lengthBytes) {
      // P-4.6: a 2xx without the reply may have stored an empty object.
      throw new TransferFailedException(
          "PUT answered "
              + stored.status()
              + " with "
              + answer.bytes()
              + " of "
              + lengthBytes
              + " bytes by RDMA ("
              + answer.whyNot()
              + "); "
              + target.remedy());
    }
    TransferResult result =
        new TransferResult(
            Transport.RDMA,
            lengthBytes,
            0,
            answer.evidence(),
            attempt,
            Optional.empty(),
            Optional.of(grant.way()),
            lengthBytes,
            stored.etag());
    return new Put(result, stored.crc32c());
  }

  private record Answered(int status, String etag, String crc32c, RdmaAnswer answer) {}

  private Answered bySdk(PutTarget target, String crc32c, String slot) {
    PutTarget.Stored stored = target.byToken(context.tokenS3(), context.tokenHeaders(slot), crc32c);
    return new Answered(
        stored.http().statusCode(), stored.etag(), stored.crc32c(), RdmaAnswer.of(stored.http()));
  }

  private Answered byLean(PutObjectRequest request, String crc32c, Grant grant) {
    LeanCalls lean = context.lean().orElseThrow();
    try (LeanAnswer answer =
        lean.put(
            request,
            Optional.ofNullable(crc32c),
            grant.mint(),
            context.deadlineMillis(),
            context.answerPatienceMillis())) {
      return new Answered(
          answer.status(),
          answer.header("etag").orElse(null),
          answer.header("x-amz-checksum-crc32c").orElse(null),
          RdmaAnswer.of(answer::header));
    }
  }

  private Put overHttp(
      PutTarget target, TransferBuffer buffer, long lengthBytes, String reason, int attempts) {
    ContentStreamProvider body = () -> HttpCopies.stream(buffer, lengthBytes);
    PutTarget.Stored stored =
        target.byBody(
            context.plainS3(),
            RequestBody.fromContentProvider(body, lengthBytes, "application/octet-stream"));
    TransferResult result =
        new TransferResult(
            Transport.HTTP,
            0,
            lengthBytes,
            Optional.empty(),
            attempts + 1,
            Optional.of(reason),
            Optional.<RegistrationWay>empty(),
            lengthBytes,
            stored.etag());
    return new Put(result, stored.crc32c());
  }
}
