package io.s3rdma.server.negotiation;

import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.RcToken;

/** How a request's bytes travel. */
public sealed interface Decision {
  /** No token: ordinary S3. */
  record PlainHttp() implements Decision {}

  /** RDMA on a connection; {@code bytes} is what must move, never 0. */
  record Rdma(RcToken token, long bytes) implements Decision {}

  /** The token was acted on but there is nothing to move (P-4.4). */
  record NothingToMove() implements Decision {}

  /** P-4.7: the bytes go by HTTP, and the answer says why. */
  record Declined(DeclineReason reason) implements Decision {}

  /** The request is wrong; nothing moves. */
  record Refused(Refusal refusal, String message) implements Decision {}

  /** Why a request with a token is refused. */
  enum Refusal {
    INVALID_TOKEN,
    WINDOW_TOO_SMALL,
    BODY_WITH_TOKEN
  }
}
