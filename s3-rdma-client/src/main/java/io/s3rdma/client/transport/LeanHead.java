package io.s3rdma.client.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Status line and header fields of an HTTP/1.1 answer, strictly read. Immutable. */
final class LeanHead {
  private static final int STATUS_AT = 9;

  private final int status;
  private final String reason;
  private final List<String> names = new ArrayList<>(20);
  private final List<String> values = new ArrayList<>(20);

  /**
   * Reads a whole head.
   *
   * @param to behind the empty line
   * @throws IOException if it is no answer of HTTP/1.1
   */
  LeanHead(byte[] octets, int to) throws IOException {
    String text = new String(octets, 0, to, StandardCharsets.ISO_8859_1);
    int lineEnd = text.indexOf("\r\n");
    String line = text.substring(0, lineEnd);
    if (!line.startsWith("HTTP/1.1 ") || line.length() < STATUS_AT + 3) {
      throw new IOException("the answer is not HTTP/1.1");
    }
    this.status = (int) decimal(line.substring(STATUS_AT, STATUS_AT + 3), 3);
    this.reason = line.length() > STATUS_AT + 4 ? line.substring(STATUS_AT + 4) : "";
    for (int at = lineEnd + 2; at < to - 2; at = lineEnd + 2) {
      lineEnd = text.indexOf("\r\n", at);
      int colon = text.indexOf(':', at);
      if (colon <= at || colon > lineEnd) {
        throw new IOException("the answer has a header line without a name");
      }
      names.add(text.substring(at, colon).toLowerCase(Locale.ROOT));
      values.add(text.substring(colon + 1, lineEnd).trim());
    }
  }

  int status() {
    return status;
  }

  String reason() {
    return reason;
  }

  /** {@code name} in lower case. */
  Optional<String> first(String name) {
    int at = names.indexOf(name);
    return at < 0 ? Optional.empty() : Optional.of(values.get(at));
  }

  Map<String, List<String>> all() {
    Map<String, List<String>> all = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      all.computeIfAbsent(names.get(i), name -> new ArrayList<>()).add(values.get(i));
    }
    return all;
  }

  boolean isInterim() {
    return status < 200;
  }

  boolean keepsAlive() {
    return first("connection").map(c -> !c.equalsIgnoreCase("close")).orElse(true);
  }

  boolean isChunked() {
    return first("transfer-encoding").isPresent();
  }

  /**
   * Octets of the body; -1: to the end of the connection.
   *
   * @throws IOException if two lengths differ or one is no number
   */
  long bodyLength() throws IOException {
    if (isInterim() || status == 204 || status == 304) {
      return 0;
    }
    int at = names.indexOf("content-length");
    if (at < 0) {
      return -1;
    }
    if (names.lastIndexOf("content-length") != at) {
      throw new IOException("the answer has two lengths");
    }
    return decimal(values.get(at), 18);
  }

  private static long decimal(String text, int digitsMax) throws IOException {
    boolean digits = text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (text.isEmpty() || text.length() > digitsMax || !digits) {
      throw new IOException("the answer holds a bad number");
    }
    return Long.parseLong(text);
  }
}
