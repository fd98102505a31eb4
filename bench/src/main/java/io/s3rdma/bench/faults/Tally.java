package io.s3rdma.bench.faults;

import com.fasterxml.jackson.databind.JsonNode;
import io.s3rdma.client.RdmaRequiredException;
import io.s3rdma.client.TransferFailedException;
import io.s3rdma.client.TransferResult;
import io.s3rdma.client.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What came of a scenario's transfers. Thread-safe. */
final class Tally {
  private static final Pattern CODE =
      Pattern.compile(
          "\\b(Rdma[A-Z]\\w+|NoSuchRdmaConnection|SlowDown|NoDevice|PortDown|Draining)");

  private long transfers;
  private long exact;
  private long byHttp;
  private long attempts;
  private double slowestSeconds;
  private final Map<String, Long> failures = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();

  /** It went, and its bytes were compared: {@code same} is what came of that. */
  synchronized void done(TransferResult result, boolean same, String what, double seconds) {
    transfers++;
    attempts += result.attempts();
    slowestSeconds = Math.max(slowestSeconds, seconds);
    if (result.transport() == Transport.HTTP) {
      byHttp++;
    } else if (result.verdict().equals("exact")) {
      exact++;
    } else {
      wrong(what + " has verdict " + result.verdict());
    }
    if (!same) {
      wrong(what + " has wrong bytes, verdict " + result.verdict());
    }
  }

  synchronized void failed(RuntimeException e, double seconds) {
    transfers++;
    slowestSeconds = Math.max(slowestSeconds, seconds);
    String type = typeOf(e);
    failures.merge(type, 1L, Long::sum);
    if (type.startsWith("untyped")) {
      wrong(type + ": " + e.getMessage());
    }
  }

  /** What must never be; kept short. */
  synchronized void wrong(String what) {
    if (wrong.size() < 20) {
      wrong.add(what);
    }
  }

  /** The code of the answer, or the kind of failure; "untyped ..." if nobody planned it. */
  static String typeOf(RuntimeException e) {
    Matcher code = CODE.matcher(String.valueOf(e.getMessage()));
    return switch (e) {
      case RdmaRequiredException required when code.find() -> code.group(1);
      case RdmaRequiredException required ->
          required.getMessage().contains("no answer") ? "no answer" : "RdmaRequired";
      case TransferFailedException _ -> "TransferFailed";
      case S3Exception s3 when s3.awsErrorDetails() != null -> s3.awsErrorDetails().errorCode();
      case S3Exception s3 -> "HTTP " + s3.statusCode();
      case SdkClientException _ -> "no answer";
      default -> "untyped " + e.getClass().getSimpleName();
    };
  }

  /** As {@link #add} reads it. */
  synchronized Map<String, Object> json() {
    return Map.of(
        "transfers", transfers,
        "exact", exact,
        "byHttp", byHttp,
        "attempts", attempts,
        "slowestSeconds", slowestSeconds,
        "failures", failures(),
        "wrong", wrong());
  }

  /** What another process saw. */
  synchronized void add(JsonNode other) {
    transfers += other.path("transfers").asLong();
    exact += other.path("exact").asLong();
    byHttp += other.path("byHttp").asLong();
    attempts += other.path("attempts").asLong();
    slowestSeconds = Math.max(slowestSeconds, other.path("slowestSeconds").asDouble());
    other
        .path("failures")
        .properties()
        .forEach(f -> failures.merge(f.getKey(), f.getValue().asLong(), Long::sum));
    other.path("wrong").forEach(what -> wrong("the other process: " + what.asText()));
  }

  synchronized long failed() {
    return failures.values().stream().mapToLong(Long::longValue).sum();
  }

  synchronized long transfers() {
    return transfers;
  }

  synchronized long exact() {
    return exact;
  }

  synchronized long byHttp() {
    return byHttp;
  }

  synchronized long retries() {
    return attempts - exact - byHttp;
  }

  synchronized double slowestSeconds() {
    return slowestSeconds;
  }

  synchronized Map<String, Long> failures() {
    return new TreeMap<>(failures);
  }

  synchronized List<String> wrong() {
    return List.copyOf(wrong);
  }
}
