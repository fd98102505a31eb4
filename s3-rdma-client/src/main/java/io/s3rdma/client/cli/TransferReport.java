package io.s3rdma.client.cli;

import io.s3rdma.client.TransferResult;
import io.s3rdma.client.Transport;
import io.s3rdma.rdma.wire.EvidenceText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** How one object went, in one request or several, as a line and as a JSON object. One thread. */
final class TransferReport {
  private final String command;
  private final S3Uri object;
  private final String file;
  private final Memory memory;
  private final List<TransferResult> results = new ArrayList<>();
  private double transferSeconds;

  TransferReport(String command, S3Uri object, String file, Memory memory) {
    this.command = command;
    this.object = object;
    this.file = file;
    this.memory = memory;
  }

  void add(TransferResult result, double seconds) {
    results.add(result);
    transferSeconds += seconds;
  }

  String line() {
    String arrow = command.equals("get") ? object + " -> " + file : file + " -> " + object;
    return "%s  %s in %s, %s%n  %s"
        .formatted(
            arrow,
            Figures.bytes(bytes()),
            Figures.seconds(transferSeconds),
            Figures.rate(bytes(), transferSeconds),
            way());
  }

  /** By which way and how that is known, or why by HTTP. */
  private String way() {
    List<String> parts = new ArrayList<>();
    if (carriedBy(Transport.RDMA)) {
      parts.add(
          "by RDMA, verdict %s, %s packets counted by the server on %s"
              .formatted(verdict(), Figures.grouped(packets()), device().orElse("?")));
    }
    if (carriedBy(Transport.HTTP)) {
      parts.add("by HTTP, verdict -, because: " + String.join("; ", reasons()));
    }
    if (attempts() > results.size()) {
      parts.add(attempts() + " attempts for " + results.size() + " requests");
    }
    return parts.isEmpty() ? "nothing to transfer" : String.join("; ", parts);
  }

  Map<String, Object> json() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("command", command);
    json.put("bucket", object.bucket());
    json.put("key", object.key());
    json.put("file", file);
    json.put("memory", memory.toString());
    json.put("bytes", bytes());
    json.put("bytesByRdma", results.stream().mapToLong(TransferResult::bytesByRdma).sum());
    json.put("bytesByHttp", results.stream().mapToLong(TransferResult::bytesByHttp).sum());
    json.put("transport", transport());
    json.put("verdict", verdict());
    json.put("packets", packets());
    json.put("device", device().orElse(null));
    json.put("registration", registration().orElse(null));
    json.put("requests", results.size());
    json.put("attempts", attempts());
    json.put("httpReason", reasons().isEmpty() ? null : String.join("; ", reasons()));
    json.put("transferSeconds", Figures.rounded(transferSeconds));
    json.put(
        "megabytesPerSecond",
        Figures.rounded(Figures.megabytesPerSecond(bytes(), transferSeconds)));
    json.put("etag", results.isEmpty() ? null : results.getLast().etag());
    return json;
  }

  private boolean carriedBy(Transport transport) {
    return results.stream().anyMatch(r -> r.transport() == transport);
  }

  private String transport() {
    return results.stream()
        .map(r -> r.transport().name().toLowerCase(Locale.ROOT))
        .distinct()
        .collect(Collectors.joining("+"));
  }

  /** Distinct verdicts of the requests that RDMA carried; "-" where none did. */
  private String verdict() {
    String verdicts =
        results.stream()
            .filter(r -> r.transport() == Transport.RDMA)
            .map(TransferResult::verdict)
            .distinct()
            .collect(Collectors.joining("+"));
    return verdicts.isEmpty() ? "-" : verdicts;
  }

  private long packets() {
    return results.stream()
        .flatMap(r -> r.evidence().stream())
        .mapToLong(EvidenceText::packets)
        .sum();
  }

  private Optional<String> device() {
    return results.stream()
        .flatMap(r -> r.evidence().stream())
        .map(e -> e.device() + "/" + e.port())
        .findFirst();
  }

  private Optional<String> registration() {
    return results.stream().flatMap(r -> r.way().stream()).map(Objects::toString).findFirst();
  }

  private List<String> reasons() {
    return results.stream().flatMap(r -> r.httpReason().stream()).distinct().toList();
  }

  private int attempts() {
    return results.stream().mapToInt(TransferResult::attempts).sum();
  }

  private long bytes() {
    return results.stream().mapToLong(TransferResult::bytes).sum();
  }
}
