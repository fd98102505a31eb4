package io.s3rdma.client.cli;

import io.s3rdma.client.S3RdmaClient;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.SdkException;

/** The figures of the server's page {@code /-/metrics} at one moment. */
record ServerPage(String text) {
  private static final Pattern PORT_COUNTER =
      Pattern.compile(
          "s3rdma_rdma_port_counter\\{counter=\"([a-z_]+)\",device=\"([^\"]+)\",port=\"(\\d+)\"} (\\S+)");
  private static final Pattern VERDICT =
      Pattern.compile("s3rdma_rdma_verdicts_total\\{verdict=\"([a-z-]+)\"} (\\S+)");

  /** Signed like any request; empty where the endpoint shows no such page to this key. */
  static Optional<ServerPage> read(S3RdmaClient client) {
    try {
      // What the path of an S3 request calls a bucket and a key is this page's path.
      return Optional.of(
          new ServerPage(
              client.s3().getObjectAsBytes(b -> b.bucket("-").key("metrics")).asUtf8String()));
    } catch (SdkException e) {
      return Optional.empty();
    }
  }

  /** Of the server's port that the evidence names. */
  PortCounts port(String rail) {
    Map<String, Long> counts = new TreeMap<>();
    Matcher m = PORT_COUNTER.matcher(text);
    while (m.find()) {
      if (rail.equals(m.group(2) + "/" + m.group(3))) {
        counts.put(m.group(1), number(m.group(4)));
      }
    }
    return new PortCounts(rail, counts);
  }

  /** Transfers judged so since the server's start. */
  OptionalLong judged(String verdict) {
    Matcher m = VERDICT.matcher(text);
    while (m.find()) {
      if (m.group(1).equals(verdict)) {
        return OptionalLong.of(number(m.group(2)));
      }
    }
    return OptionalLong.empty();
  }

  private static long number(String text) {
    return (long) Double.parseDouble(text);
  }
}
