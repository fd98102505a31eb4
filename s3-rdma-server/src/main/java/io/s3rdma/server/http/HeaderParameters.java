package io.s3rdma.server.http;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What stands behind the first semicolon of {@code form-data; name="a"; filename="b"}. Strict: what
 * two readers could understand differently is refused as MalformedPOSTRequest.
 */
final class HeaderParameters {
  private HeaderParameters() {}

  /** What stands before the first semicolon, in lower case. */
  static String main(String header) {
    int end = header.indexOf(';');
    return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  /** By name in lower case. */
  static Map<String, String> of(String header) {
    Map<String, String> found = new HashMap<>();
    int at = header.indexOf(';');
    while (at >= 0 && at < header.length()) {
      int equals = header.indexOf('=', at);
      String name = equals < 0 ? "" : header.substring(at + 1, equals).strip();
      if (!isToken(name)) {
        throw malformed("a header of the form is not of the kind value; name=\"value\"");
      }
      int end = valueEnd(header, equals + 1);
      String value = unquoted(header.substring(equals + 1, end).strip());
      if (found.put(name.toLowerCase(Locale.ROOT), value) != null) {
        throw malformed("a header of the form has " + name + " twice");
      }
      at = end;
    }
    return found;
  }

  /** Where the semicolon behind the value is, or the end. */
  private static int valueEnd(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '"') {
      do {
        at = text.indexOf('"', at + 1);
        if (at < 0) {
          throw malformed("a quote in a header of the form does not end");
        }
        // Browsers write %22 for a quote in a name; curl and others a backslash before it.
      } while (text.charAt(at - 1) == '\\');
    }
    int end = text.indexOf(';', at);
    return end < 0 ? text.length() : end;
  }

  private static String unquoted(String value) {
    int last = value.length() - 1;
    boolean quoted = last > 0 && value.charAt(0) == '"' && value.charAt(last) == '"';
    // A backslash is itself but before a quote: some browsers send whole paths of Windows.
    String inside = quoted ? value.substring(1, last) : "";
    if (quoted ? inside.replace("\\\"", "").indexOf('"') >= 0 : !isToken(value)) {
      throw malformed("a value in a header of the form is neither quoted nor a token");
    }
    return quoted ? inside.replace("\\\"", "\"") : value;
  }

  /** RFC 9110 5.6.2. */
  static boolean isToken(String text) {
    return !text.isEmpty()
        && text.chars().allMatch(c -> c > 0x20 && c < 0x7f && "()<>@,;:\\\"/[]?={}".indexOf(c) < 0);
  }

  /** What no value of a header may hold. */
  static boolean hasControls(String text) {
    return text.chars().anyMatch(c -> (c < 0x20 && c != '\t') || c == 0x7f);
  }

  /** For all that reads a form. */
  static S3Exception malformed(String message) {
    return new S3Exception(S3ErrorCode.MALFORMED_POST_REQUEST, message);
  }
}
