package io.s3rdma.rdma.wire;

import java.util.HashMap;
import java.util.Map;

/**
 * A value of {@link RdmaHeaders#EVIDENCE} (P-5.5): {@code verdict=exact; packets=256;
 * bytes=1048576; device=rxe0/1; http-bytes=0}.
 *
 * @param verdict the verdict's word of P-5.4; lower-case letters and hyphens
 * @param packets counted packets, not negative
 * @param bytes object bytes moved by RDMA, not negative
 * @param device name of the server's RDMA device
 * @param port port of the device, 1 to 255
 * @param httpBytes object bytes sent in the HTTP body, not negative
 */
public record EvidenceText(
    String verdict, long packets, long bytes, String device, int port, long httpBytes) {
  private static final int TEXT_MAX = 1024;
  private static final int WORD_MAX = 64;

  /**
   * @throws WireFormatException if a value cannot be written in the header
   */
  public EvidenceText {
    if (!isWord(verdict, false)) {
      throw new WireFormatException("verdict", "not a word");
    }
    if (!isWord(device, true)) {
      throw new WireFormatException("device", "not a device name");
    }
    if (port < 1 || port > 255) {
      throw new WireFormatException("device", "port not in 1 to 255");
    }
    if (packets < 0 || bytes < 0 || httpBytes < 0) {
      throw new WireFormatException("evidence", "negative count");
    }
  }

  public String encode() {
    return "verdict="
        + verdict
        + "; packets="
        + packets
        + "; bytes="
        + bytes
        + "; device="
        + device
        + '/'
        + port
        + "; http-bytes="
        + httpBytes;
  }

  /**
   * Reads the five known keys in any order; ignores others, which belong to newer servers.
   *
   * @throws WireFormatException if a known key is missing, doubled or malformed
   */
  public static EvidenceText parse(String text) {
    if (text.length() > TEXT_MAX) {
      throw new WireFormatException("evidence", "longer than " + TEXT_MAX + " characters");
    }
    Map<String, String> values = new HashMap<>();
    int start = 0;
    while (start <= text.length()) {
      int semicolon = text.indexOf(';', start);
      int end = semicolon < 0 ? text.length() : semicolon;
      putPair(values, trimmed(text, start, end));
      start = end + 1;
    }
    String rail = required(values, "device");
    int slash = rail.indexOf('/');
    if (slash < 0) {
      throw new WireFormatException("device", "no port");
    }
    long port = WireDecimal.parse("device", rail.substring(slash + 1));
    return new EvidenceText(
        required(values, "verdict"),
        count(values, "packets"),
        count(values, "bytes"),
        rail.substring(0, slash),
        (int) Math.min(port, Integer.MAX_VALUE),
        count(values, "http-bytes"));
  }

  private static void putPair(Map<String, String> values, String pair) {
    int equals = pair.indexOf('=');
    if (equals < 1) {
      throw new WireFormatException("evidence", "a part without key and value");
    }
    if (values.put(pair.substring(0, equals), pair.substring(equals + 1)) != null) {
      throw new WireFormatException("evidence", "a key twice");
    }
  }

  private static long count(Map<String, String> values, String key) {
    return WireDecimal.parse(key, required(values, key));
  }

  private static String required(Map<String, String> values, String key) {
    String value = values.get(key);
    if (value == null) {
      throw new WireFormatException(key, "missing");
    }
    return value;
  }

  /** Optional white space of HTTP: space and tab, nothing else. */
  private static String trimmed(String text, int start, int end) {
    int from = start;
    int to = end;
    while (from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private static boolean isWord(String text, boolean name) {
    if (text.isEmpty() || text.length() > WORD_MAX) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean ok = (c >= 'a' && c <= 'z') || c == '-';
      boolean okInName = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
      if (!ok && !(name && okInName)) {
        return false;
      }
    }
    return true;
  }
}
