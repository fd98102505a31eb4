package io.s3rdma.bench;

import java.util.List;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;

/** Where in a request a sample of the profile was taken: the innermost frame that says so. */
enum Stage {
  CLIENT_SIGNATURE(
      Part.CLIENT,
      "signature",
      "io.s3rdma.client.transport.RdmaAuthScheme",
      "io.s3rdma.client.transport.LeanSigner",
      "software.amazon.awssdk.http.auth."),
  CLIENT_HTTP(
      Part.CLIENT,
      "HTTP",
      "io.s3rdma.client.transport.LeanConnection",
      "io.s3rdma.client.transport.LeanHttp",
      "org.apache.hc.",
      "software.amazon.awssdk.http.apache"),
  CLIENT_WINDOW(
      Part.CLIENT, "connection, window, token", "io.s3rdma.client.transport.", "io.s3rdma.rdma."),
  CLIENT_SDK(Part.CLIENT, "the rest of the SDK", "software.amazon.awssdk."),
  CLIENT_OWN(Part.CLIENT, "own code", "io.s3rdma."),
  CLIENT_REST(Part.CLIENT, "other", ""),
  SERVER_SIGNATURE(
      Part.SERVER,
      "signature and rights",
      "io.s3rdma.server.http.SigV4",
      "io.s3rdma.server.http.CanonicalRequest",
      "io.s3rdma.server.http.Access",
      "io.s3rdma.server.http.Identity"),
  SERVER_EVIDENCE(Part.SERVER, "evidence", "io.s3rdma.server.evidence.", "io.s3rdma.counters."),
  SERVER_TRANSFER(Part.SERVER, "transfer", "io.s3rdma.server.transfer.", "io.s3rdma.rdma."),
  SERVER_STORE(Part.SERVER, "store", "io.s3rdma.server.store.", "org.rocksdb."),
  SERVER_FLOW(
      Part.SERVER,
      "negotiation and flow",
      "io.s3rdma.server.flow.",
      "io.s3rdma.server.negotiation."),
  SERVER_LOG(
      Part.SERVER,
      "access log, metrics",
      "ch.qos.logback.",
      "io.s3rdma.server.http.AccessLog",
      "io.s3rdma.server.admin.",
      "io.micrometer."),
  SERVER_NETTY(Part.SERVER, "HTTP codec and socket", "io.netty."),
  SERVER_HTTP(Part.SERVER, "requests and answers", "io.s3rdma."),
  SERVER_REST(Part.SERVER, "hand-over between threads", "");

  private final Part part;
  private final String label;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> prefixes;

  Stage(Part part, String label, String... prefixes) {
    this.part = part;
    this.label = label;
    this.prefixes = List.of(prefixes);
  }

  Part part() {
    return part;
  }

  String label() {
    return label;
  }

  /** Null for a thread that is neither client nor server. */
  static Stage of(String threadName, RecordedStackTrace stack) {
    Part part = Part.of(threadName);
    if (part != Part.CLIENT && part != Part.SERVER) {
      return null;
    }
    for (RecordedFrame frame : stack.getFrames()) {
      Stage stage = of(part, frame.getMethod().getType().getName());
      if (stage != CLIENT_REST && stage != SERVER_REST) {
        return stage;
      }
    }
    return of(part, "");
  }

  private static Stage of(Part part, String className) {
    for (Stage stage : values()) {
      if (stage.part == part && stage.prefixes.stream().anyMatch(className::startsWith)) {
        return stage;
      }
    }
    throw new IllegalStateException("no stage of " + part);
  }
}
