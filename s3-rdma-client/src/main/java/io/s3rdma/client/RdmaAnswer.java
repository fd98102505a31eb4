package io.s3rdma.client;

import io.s3rdma.rdma.wire.EvidenceText;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.Reply;
import io.s3rdma.rdma.wire.WireFormatException;
import java.util.Optional;
import java.util.function.Function;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * What the answer's headers say about the RDMA way.
 *
 * @param reply empty if the peer did not answer the token: it knows none of this
 */
record RdmaAnswer(
    Optional<Reply> reply, long bytes, Optional<EvidenceText> evidence, String declineReason) {
  static RdmaAnswer of(SdkHttpResponse response) {
    return of(response::firstMatchingHeader);
  }

  /** Headers by their lower-case names. */
  static RdmaAnswer of(Function<String, Optional<String>> headers) {
    try {
      return new RdmaAnswer(
          headers.apply(RdmaHeaders.REPLY).map(Reply::parse),
          headers.apply(RdmaHeaders.BYTES_TRANSFERRED).map(RdmaAnswer::count).orElse(-1L),
          headers.apply(RdmaHeaders.EVIDENCE).map(EvidenceText::parse),
          headers.apply(RdmaHeaders.DECLINE_REASON).orElse("no reason given"));
    } catch (WireFormatException e) {
      throw new TransferFailedException(
          "the server's rdma headers cannot be read: " + e.getMessage(), e);
    }
  }

  private static long count(String text) {
    if (text.isEmpty() || text.length() > 18 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new TransferFailedException(RdmaHeaders.BYTES_TRANSFERRED + " is not a decimal count");
    }
    return Long.parseLong(text);
  }

  boolean moved() {
    return reply.isPresent() && reply.get().moved();
  }

  /** Why HTTP carried the bytes, in the words of P-6. */
  String whyNot() {
    return reply.isPresent()
        ? "the server declined: " + declineReason
        : "the server does not answer RDMA tokens";
  }
}
