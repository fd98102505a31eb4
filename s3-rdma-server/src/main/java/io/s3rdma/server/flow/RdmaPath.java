package io.s3rdma.server.flow;

import io.s3rdma.counters.Direction;
import io.s3rdma.counters.Judgement;
import io.s3rdma.counters.Verdict;
import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.rdma.wire.EvidenceText;
import io.s3rdma.rdma.wire.RdmaHeaders;
import io.s3rdma.rdma.wire.Reply;
import io.s3rdma.server.evidence.Evidence;
import io.s3rdma.server.evidence.PortsEvidence;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.negotiation.Capabilities;
import io.s3rdma.server.negotiation.Decision;
import io.s3rdma.server.negotiation.Negotiator;
import io.s3rdma.server.transfer.ByteSink;
import io.s3rdma.server.transfer.ByteSource;
import io.s3rdma.server.transfer.Connection;
import io.s3rdma.server.transfer.Deadline;
import io.s3rdma.server.transfer.TransferException;
import io.s3rdma.server.transfer.TransferException.Failure;
import io.s3rdma.server.transfer.Transfers;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The steps that GET and PUT share: negotiate, move, prove, state. Thread-safe; one per server,
 * with or without a rail.
 */
public final class RdmaPath {
  /** Label of metrics and answers. */
  public static final String RDMA = "rdma";

  /** Seconds after which a limit may leave room again. */
  static final String RETRY_AFTER = "Retry-After";

  private final Optional<Transfers> transfers;
  private final Optional<PortsEvidence> evidence;
  private final DeclineReason whyNone;
  private final RdmaSettings settings;
  private final TransferLog log = new TransferLog();
  private final RdmaCounts counts = new RdmaCounts();

  private RdmaPath(
      Optional<Transfers> transfers,
      Optional<PortsEvidence> evidence,
      DeclineReason whyNone,
      RdmaSettings settings) {
    this.transfers = transfers;
    this.evidence = evidence;
    this.whyNone = whyNone;
    this.settings = settings;
  }

  public static RdmaPath over(Transfers transfers, PortsEvidence evidence, RdmaSettings settings) {
    return new RdmaPath(
        Optional.of(transfers), Optional.of(evidence), DeclineReason.NO_DEVICE, settings);
  }

  /** Without a rail: every token is declined with this reason. */
  public static RdmaPath none(DeclineReason reason, RdmaSettings settings) {
    return new RdmaPath(Optional.empty(), Optional.empty(), reason, settings);
  }

  public TransferLog log() {
    return log;
  }

  public RdmaCounts counts() {
    return counts;
  }

  Optional<Transfers> transfers() {
    return transfers;
  }

  RdmaSettings settings() {
    return settings;
  }

  DeclineReason whyNone() {
    return whyNone;
  }

  // ---- negotiation ----

  Decision forGet(S3Request request, long selectedBytes) {
    return decide(request, Negotiator.forGet(token(request), selectedBytes, capabilities()));
  }

  Decision forPut(S3Request request) {
    boolean hasBody = request.contentLength() > 0 || request.hasTransferEncoding();
    return decide(request, Negotiator.forPut(token(request), hasBody, capabilities()));
  }

  private static Optional<String> token(S3Request request) {
    return request.header(RdmaHeaders.TOKEN);
  }

  private Capabilities capabilities() {
    Optional<DeclineReason> unusable =
        transfers.isEmpty() ? Optional.of(whyNone) : transfers.get().unusable();
    return new Capabilities(unusable, settings.objectBytesMin());
  }

  private Decision decide(S3Request request, Decision decision) {
    if (decision instanceof Decision.Refused refused) {
      throw new S3Exception(codeOf(refused.refusal()), refused.message());
    }
    // P-2.12
    return decision instanceof Decision.Rdma plan
            && transfers.get().isCoolingDown(plan.token().connection(), ownerOf(request))
        ? new Decision.Declined(DeclineReason.RDMA_DISABLED)
        : decision;
  }

  private static S3ErrorCode codeOf(Decision.Refusal refusal) {
    return switch (refusal) {
      case INVALID_TOKEN -> S3ErrorCode.INVALID_RDMA_TOKEN;
      case WINDOW_TOO_SMALL -> S3ErrorCode.RDMA_WINDOW_TOO_SMALL;
      case BODY_WITH_TOKEN -> S3ErrorCode.INVALID_REQUEST;
    };
  }

  // ---- answers ----

  /** P-4.7: marks a GET's answer whose body carries the object. */
  S3Response declined(S3Response httpBody, DeclineReason reason) {
    counts.declined(reason);
    return httpBody
        .withHeader(RdmaHeaders.REPLY, Reply.DECLINED.encode())
        .withHeader(RdmaHeaders.DECLINE_REASON, reason.wireText());
  }

  /** P-4.7: a PUT's answer; nothing is stored. */
  S3Exception declinedPut(DeclineReason reason) {
    counts.declined(reason);
    return new S3Exception(
            S3ErrorCode.RDMA_NOT_SUPPORTED,
            "RDMA was declined (" + reason.wireText() + "); send the body by HTTP")
        .withHeader(RdmaHeaders.REPLY, Reply.DECLINED.encode())
        .withHeader(RdmaHeaders.DECLINE_REASON, reason.wireText());
  }

  /** P-4.4: an empty selection. */
  S3Response nothingMoved(int status, Headers headers) {
    return moved(status, headers, 0, Optional.empty());
  }

  /** P-1.2, P-1.3, P-1.8, P-1.10, P-1.11. */
  S3Response moved(int status, Headers headers, long bytes, Optional<EvidenceText> proof) {
    Reply reply = status == 206 ? Reply.PARTIAL : Reply.WHOLE;
    S3Response answer =
        S3Response.of(status, headers)
            .withHeader(RdmaHeaders.REPLY, reply.encode())
            .withHeader(RdmaHeaders.BYTES_TRANSFERRED, Long.toString(bytes))
            .withTransport(RDMA, bytes);
    return proof.map(p -> answer.withHeader(RdmaHeaders.EVIDENCE, p.encode())).orElse(answer);
  }

  // ---- moving ----

  /** Moves a GET's bytes into the client's window; empty if there was no staging memory. */
  Optional<EvidenceText> write(S3Request request, Decision.Rdma plan, ByteSource source)
      throws IOException {
    return run(
        request,
        plan,
        Direction.WRITE,
        (lease, deadline) ->
            transfers
                .get()
                .write(
                    lease,
                    plan.token().region(),
                    source,
                    plan.bytes(),
                    deadline,
                    request.cancel()::onCancel));
  }

  /** Moves a PUT's bytes into the sink; empty if there was no staging memory. */
  Optional<EvidenceText> read(S3Request request, Decision.Rdma plan, ByteSink sink)
      throws IOException {
    return run(
        request,
        plan,
        Direction.READ,
        (lease, deadline) ->
            transfers
                .get()
                .read(
                    lease,
                    plan.token().region(),
                    sink,
                    plan.bytes(),
                    deadline,
                    request.cancel()::onCancel));
  }

  private interface Move {
    Transfers.Moved over(Transfers.Lease lease, Deadline deadline);
  }

  private Optional<EvidenceText> run(
      S3Request request, Decision.Rdma plan, Direction direction, Move move) throws IOException {
    long start = System.nanoTime();
    Deadline deadline = Deadline.since(request.head().receivedNanos(), deadlineMillis(request));
    try (Transfers.Lease lease =
        transfers.get().lease(plan.token().connection(), ownerOf(request))) {
      EvidenceText proof = moveAndProve(request, plan, direction, move, lease, deadline, start);
      return Optional.of(proof);
    } catch (TransferException e) {
      if (e.failure() == Failure.NO_STAGING_MEMORY) {
        return Optional.empty();
      }
      counts.failed();
      record(request, plan.bytes(), 0, e.failure().name(), e.getMessage(), start);
      throw answerOf(e);
    }
  }

  private EvidenceText moveAndProve(
      S3Request request,
      Decision.Rdma plan,
      Direction direction,
      Move move,
      Transfers.Lease lease,
      Deadline deadline,
      long start) {
    Connection connection = lease.connection();
    Evidence.Bracket bracket =
        evidence
            .get()
            .of(connection.device(), connection.port())
            .open(
                direction,
                plan.bytes(),
                transfers.get().chunkBytes(),
                connection.mtuBytes(),
                connection::psnAtStart,
                connection::psnAtEnd);
    try {
      Transfers.Moved moved = move.over(lease, deadline);
      Judgement judgement = bracket.judge(moved.bytes());
      record(
          request,
          moved.bytes(),
          judgement.packetsStated(),
          judgement.verdict().wireText(),
          judgement.reason(),
          start);
      if (judgement.verdict() == Verdict.CONTRADICTED) {
        lease.fail(); // P-5.4: the request fails, and nobody trusts this connection again
        throw new S3Exception(S3ErrorCode.RDMA_EVIDENCE_CONTRADICTED, judgement.reason());
      }
      return new EvidenceText(
          judgement.verdict().wireText(),
          judgement.packetsStated(),
          moved.bytes(),
          connection.device(),
          connection.port(),
          0);
    } finally {
      bracket.abandon();
    }
  }

  /** The principal; anonymous requests (buckets opened to them) share one. */
  static String ownerOf(S3Request request) {
    return request.accessKey() == null ? "" : request.accessKey();
  }

  // P-1.7
  private long deadlineMillis(S3Request request) {
    String text = request.header(RdmaHeaders.DEADLINE_MILLIS).orElse("");
    if (text.isEmpty()) {
      return settings.deadlineMillisDefault();
    }
    if (text.length() > 9 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw new S3Exception(
          S3ErrorCode.INVALID_ARGUMENT, RdmaHeaders.DEADLINE_MILLIS + " is not a count of ms");
    }
    return Math.min(Long.parseLong(text), settings.deadlineMillisMax());
  }

  private void record(
      S3Request request, long bytes, long packets, String outcome, String detail, long start) {
    log.add(
        new TransferRecord(
            Instant.now().truncatedTo(ChronoUnit.MILLIS).toString(),
            request.requestId(),
            request.method(),
            request.bucket(),
            request.key(),
            bytes,
            packets,
            outcome,
            detail,
            (System.nanoTime() - start) / 1000));
  }

  /** Section 6. A store's own failure keeps its own answer. */
  static RuntimeException answerOf(TransferException e) throws IOException {
    if (e.getCause() instanceof IOException io) {
      throw io;
    }
    S3Exception answer = new S3Exception(codeOf(e.failure()), e.getMessage(), e);
    return answer.code() == S3ErrorCode.SLOW_DOWN ? answer.withHeader(RETRY_AFTER, "1") : answer;
  }

  private static S3ErrorCode codeOf(Failure failure) {
    return switch (failure) {
      case NO_SUCH_CONNECTION -> S3ErrorCode.NO_SUCH_RDMA_CONNECTION;
      case NOT_PROVEN -> S3ErrorCode.RDMA_ENDPOINT_NOT_ALLOWED;
      case CONNECTION_BUSY -> S3ErrorCode.RDMA_CONNECTION_BUSY;
      case LIMIT, NO_STAGING_MEMORY -> S3ErrorCode.SLOW_DOWN;
      case DEADLINE, CANCELLED -> S3ErrorCode.RDMA_DEADLINE_EXCEEDED;
      case CLIENT_MEMORY -> S3ErrorCode.RDMA_ACCESS_REFUSED;
      case BAD_ENDPOINT -> S3ErrorCode.INVALID_RDMA_TOKEN;
      case NO_RAIL, RAIL_OUT, FABRIC -> S3ErrorCode.RDMA_TRANSFER_FAILED;
      case STORE -> S3ErrorCode.INTERNAL_ERROR;
    };
  }
}
