package io.s3rdma.server.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent encoding by the SigV4 rule: only unreserved characters stay as they are. */
public final class UriCodec {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private UriCodec() {}

  /** Encodes the UTF-8 octets of {@code text}; a slash stays when {@code keepSlash}. */
  public static String encode(String text, boolean keepSlash) {
    if (isPlain(text, keepSlash)) {
      return text;
    }
    byte[] octets = text.getBytes(StandardCharsets.UTF_8);
    StringBuilder out = new StringBuilder(octets.length + 16);
    for (byte octet : octets) {
      char c = (char) (octet & 0xff);
      if (isUnreserved(c) || (keepSlash && c == '/')) {
        out.append(c);
      } else {
        out.append('%').append(HEX[c >> 4]).append(HEX[c & 15]);
      }
    }
    return out.toString();
  }

  /** Decodes percent escapes once; refuses bad escapes and what is not UTF-8. */
  public static String decode(String raw) {
    if (isPlain(raw, true)) {
      return raw;
    }
    ByteArrayOutputStream octets = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        boolean whole = i + 2 < raw.length();
        int high = whole ? Character.digit(raw.charAt(i + 1), 16) : -1;
        int low = whole ? Character.digit(raw.charAt(i + 2), 16) : -1;
        if (high < 0 || low < 0) {
          throw new S3Exception(S3ErrorCode.INVALID_URI, "bad percent escape in " + raw);
        }
        octets.write(high << 4 | low);
        i += 2;
      } else {
        octets.write(c & 0xff);
      }
    }
    try {
      return StrictUtf8.decode(octets.toByteArray());
    } catch (CharacterCodingException e) {
      throw new S3Exception(S3ErrorCode.INVALID_URI, "not UTF-8: " + raw, e);
    }
  }

  /** Most names are: then encoding and decoding change nothing. */
  private static boolean isPlain(String text, boolean slashIsPlain) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!isUnreserved(c) && !(slashIsPlain && c == '/')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUnreserved(char c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '.'
        || c == '_'
        || c == '~';
  }
}
