package io.s3rdma.server.http;

import io.netty.handler.codec.http.HttpRequest;
import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line a request, as named values. Nothing that lets another ask in the client's name comes
 * into it: of a presigned query the signature, the session token and a customer's key are left out.
 */
final class AccessLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.s3rdma.server.access");
  private static final Pattern SECRET_QUERY =
      Pattern.compile(
          "(?i)(?<=[?&])(x-amz-signature|x-amz-security-token|signature"
              + "|x-amz-[a-z-]*server-side-encryption-customer-key)=[^&]*");
  private static final Pattern ACCESS_KEY =
      Pattern.compile("Credential=([A-Za-z0-9+=._-]{1,128})(?:/|%2[fF])");
  private static final int TEXT_MAX = 4096;

  private AccessLog() {}

  /**
   * Event loop.
   *
   * @param answered the figures, as the metrics get them
   * @param whole whether the last octet went out
   */
  static void write(
      InetAddress remote,
      HttpRequest request,
      String requestId,
      RequestObserver.Answered answered,
      boolean whole) {
    if (!LOG.isInfoEnabled()) {
      return;
    }
    LOG.atInfo()
        .addKeyValue("remote", remote == null ? "-" : remote.getHostAddress())
        .addKeyValue("key", accessKey(request))
        .addKeyValue("method", printable(request.method().name()))
        .addKeyValue("path", withoutSecrets(request.uri()))
        .addKeyValue("status", answered.status())
        .addKeyValue("in", answered.bytesIn())
        .addKeyValue("out", answered.bytesOut())
        .addKeyValue("transport", answered.transport())
        .addKeyValue("millis", answered.nanos() / 1_000_000)
        .addKeyValue("whole", whole)
        .addKeyValue("request", requestId)
        .addKeyValue("agent", printable(request.headers().get("user-agent", "-")))
        .log("");
  }

  /** The one that the request names; the status says whether it was believed. */
  private static String accessKey(HttpRequest request) {
    String named = request.headers().get(HttpNames.AUTHORIZATION, request.uri());
    Matcher key = ACCESS_KEY.matcher(named);
    return key.find() ? key.group(1) : "-";
  }

  static String withoutSecrets(String uri) {
    return printable(uri.indexOf('?') < 0 ? uri : SECRET_QUERY.matcher(uri).replaceAll("$1="));
  }

  /** A client must not be able to end a line or a quoted value. */
  static String printable(String text) {
    if (text.length() <= TEXT_MAX && isPlain(text)) {
      return text;
    }
    StringBuilder out = new StringBuilder(Math.min(text.length(), TEXT_MAX));
    for (int i = 0; i < text.length() && out.length() < TEXT_MAX; i++) {
      char c = text.charAt(i);
      if (isPlain(c)) {
        out.append(c);
      } else {
        out.append("%%%02X".formatted((int) c));
      }
    }
    return out.toString();
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isPlain(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
  }
}
