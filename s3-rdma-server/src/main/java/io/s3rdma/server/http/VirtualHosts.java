package io.s3rdma.server.http;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The host names of this service, below which a bucket has a host name of its own. With {@code
 * s3.example.org}, the host {@code logs.s3.example.org:9000} names the bucket {@code logs}.
 */
final class VirtualHosts {
  static final VirtualHosts NONE = new VirtualHosts(List.of());

  private final List<String> suffixes;

  VirtualHosts(List<String> suffixes) {
    this.suffixes =
        suffixes.stream()
            .map(suffix -> suffix.toLowerCase(Locale.ROOT))
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  /** Empty where the host names no bucket, so that the path does. */
  String bucketOf(String hostHeader) {
    if (suffixes.isEmpty()) {
      return "";
    }
    String host = withoutPort(hostHeader).toLowerCase(Locale.ROOT);
    if (suffixes.contains(host)) {
      return "";
    }
    for (String suffix : suffixes) {
      int dot = host.length() - suffix.length() - 1;
      if (dot > 0 && host.charAt(dot) == '.' && host.endsWith(suffix)) {
        return host.substring(0, dot);
      }
    }
    return "";
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    // A colon inside brackets is an IPv6 address's.
    return colon < 0 || colon < host.lastIndexOf(']') ? host : host.substring(0, colon);
  }
}
