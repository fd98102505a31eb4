package io.s3rdma.server.http;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The one XML writer. A character that XML 1.0 cannot carry is written as a character reference, as
 * S3 does; a client that wants to be safe asks for {@code encoding-type=url}.
 */
public final class Xml {
  public static final String S3_NAMESPACE = "http://s3.amazonaws.com/doc/2006-03-01/";

  private final StringBuilder out =
      new StringBuilder(512).append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  private final Deque<String> open = new ArrayDeque<>();

  private Xml() {}

  /** A document with a root in the S3 namespace. */
  public static Xml document(String root) {
    Xml xml = new Xml();
    xml.out.append('<').append(root).append(" xmlns=\"").append(S3_NAMESPACE).append("\">");
    xml.open.push(root);
    return xml;
  }

  /** A document whose root has no namespace: errors. */
  static Xml plainDocument(String root) {
    return new Xml().start(root);
  }

  public Xml start(String element) {
    return start(element, element);
  }

  /** {@code opening} is the element with its attributes, already escaped. */
  public Xml start(String element, String opening) {
    out.append('<').append(opening).append('>');
    open.push(element);
    return this;
  }

  public Xml end() {
    out.append("</").append(open.pop()).append('>');
    return this;
  }

  public Xml text(String element, String value) {
    return start(element).value(value).end();
  }

  /** The text of the element that is open. */
  public Xml value(String value) {
    escape(value);
    return this;
  }

  public Xml text(String element, long value) {
    return text(element, Long.toString(value));
  }

  public Xml text(String element, boolean value) {
    return text(element, Boolean.toString(value));
  }

  /** Closes what is open. */
  public String finish() {
    while (!open.isEmpty()) {
      end();
    }
    return out.toString();
  }

  private void escape(String value) {
    value
        .codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                default -> escapeOther(c);
              }
            });
  }

  private void escapeOther(int c) {
    boolean control = c < 0x20 && c != '\t' && c != '\n';
    boolean surrogate = c >= 0xD800 && c <= 0xDFFF;
    if (surrogate) {
      out.append('\uFFFD');
    } else if (control || c == 0x7f || c == 0xFFFE || c == 0xFFFF) {
      out.append("&#x").append(Integer.toHexString(c)).append(';');
    } else {
      out.appendCodePoint(c);
    }
  }
}
