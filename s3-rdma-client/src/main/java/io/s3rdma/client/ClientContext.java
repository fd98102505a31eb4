package io.s3rdma.client;

import io.s3rdma.client.transport.RdmaTransport;
import io.s3rdma.client.transport.TokenSlots;
import io.s3rdma.rdma.wire.RdmaHeaders;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * What the transfers of one client share. Immutable but for the transport, which is opened at the
 * first use.
 *
 * @param tokenS3 the SDK client whose signer mints tokens; it never retries by itself
 * @param plainS3 the SDK client for everything else
 * @param lean what serves plain requests with a token instead of {@code tokenS3}
 */
record ClientContext(
    S3Client tokenS3,
    S3Client plainS3,
    TokenSlots slots,
    Optional<LeanCalls> lean,
    Supplier<RdmaTransport> transport,
    RdmaPolicy policy,
    long deadlineMillis,
    int attemptsMax,
    boolean putChecksum,
    PartPlan parts) {
  /** The answer may take a little longer than the server's patience. */
  private static final long ANSWER_MARGIN_MILLIS = 5_000;

  AwsRequestOverrideConfiguration tokenHeaders(String slot) {
    return AwsRequestOverrideConfiguration.builder()
        .putHeader(TokenSlots.HEADER, slot)
        .putHeader(RdmaHeaders.DEADLINE_MILLIS, Long.toString(deadlineMillis))
        .apiCallAttemptTimeout(Duration.ofMillis(answerPatienceMillis()))
        .build();
  }

  long answerPatienceMillis() {
    return deadlineMillis + ANSWER_MARGIN_MILLIS;
  }

  /** The transport, or why there is none. */
  RdmaTransport openTransport() {
    return transport.get();
  }

  /** Throws under REQUIRE; returns the reason under PREFER. */
  String withoutRdma(String reason, Throwable cause) {
    if (policy == RdmaPolicy.REQUIRE) {
      throw new RdmaRequiredException(
          "RDMA is required and cannot carry this request: " + reason, cause);
    }
    return reason;
  }
}
