package io.s3rdma.server.document;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.StrictUtf8;
import io.s3rdma.server.http.Xml;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An element of a client's document; the one place where XML is read. Strict: no document type, no
 * entities but the five of XML, no foreign namespaces, bounded depth and number of elements. A
 * document is a tree of leaves with text and of branches without. Every refusal is MalformedXML.
 */
public final class XmlElement {
  private static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";
  private static final String BYTE_ORDER_MARK = "\ufeff";
  private static final Set<String> ENCODINGS = Set.of("UTF-8", "UTF8", "US-ASCII");
  private static final int DEPTH_MAX = 8;
  private static final int ELEMENTS_MAX = 100_000;

  private final String name;
  private final String type;
  private final List<XmlElement> children = new ArrayList<>(2);
  private final StringBuilder text = new StringBuilder();

  private XmlElement(String name, String type) {
    this.name = name;
    this.type = type;
  }

  /** The root, whose name is checked. */
  public static XmlElement parse(byte[] document, String root) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    XmlElement found;
    try {
      found = read(factory.createXMLStreamReader(new StringReader(decode(document))));
    } catch (XMLStreamException | MissingResourceException e) {
      // The JDK's parser has no text for some of its own errors, InvalidCharInDTD for one.
      throw new S3Exception(S3ErrorCode.MALFORMED_XML, S3ErrorCode.MALFORMED_XML.text(), e);
    }
    if (!found.name.equals(root)) {
      throw malformed("the document is a " + found.name + " and not a " + root);
    }
    return found;
  }

  /** Decoded here, since the parser prints to the standard error what is no UTF-8. */
  private static String decode(byte[] document) {
    try {
      String text = StrictUtf8.decode(document);
      return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new S3Exception(S3ErrorCode.MALFORMED_XML, "the document is not UTF-8", e);
    }
  }

  private static XmlElement read(XMLStreamReader xml) throws XMLStreamException {
    String encoding = xml.getCharacterEncodingScheme();
    if (encoding != null && !ENCODINGS.contains(encoding.toUpperCase(Locale.ROOT))) {
      throw malformed("the document says that it is " + encoding + "; only UTF-8 is read");
    }
    Deque<XmlElement> open = new ArrayDeque<>();
    XmlElement root = null;
    int count = 0;
    while (xml.hasNext()) {
      switch (xml.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          XmlElement element = start(xml);
          if (++count > ELEMENTS_MAX || open.size() >= DEPTH_MAX) {
            throw malformed("more than " + ELEMENTS_MAX + " elements or " + DEPTH_MAX + " levels");
          }
          if (open.isEmpty()) {
            root = element;
          } else {
            open.peek().children.add(element);
          }
          open.push(element);
        }
        case XMLStreamConstants.END_ELEMENT -> open.pop().end();
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE -> {
          if (!open.isEmpty()) {
            open.peek().text.append(xml.getText());
          }
        }
        case XMLStreamConstants.COMMENT, XMLStreamConstants.END_DOCUMENT -> {}
        default -> throw malformed("only elements and text are allowed");
      }
    }
    if (root == null) {
      throw malformed("the document is empty");
    }
    return root;
  }

  private static XmlElement start(XMLStreamReader xml) {
    String namespace = xml.getNamespaceURI();
    if (namespace != null && !namespace.isEmpty() && !namespace.equals(Xml.S3_NAMESPACE)) {
      throw malformed("the namespace of " + xml.getLocalName() + " is not that of S3");
    }
    String type = "";
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      boolean isType = "type".equals(xml.getAttributeLocalName(i));
      if (!XSI.equals(xml.getAttributeNamespace(i))) {
        throw malformed(xml.getLocalName() + " has an attribute " + xml.getAttributeLocalName(i));
      }
      type = isType ? xml.getAttributeValue(i) : type;
    }
    return new XmlElement(xml.getLocalName(), type);
  }

  private void end() {
    if (!children.isEmpty() && !text.toString().isBlank()) {
      throw malformed("there is text between the elements of " + name);
    }
  }

  public String name() {
    return name;
  }

  /** The attribute xsi:type; empty if there is none. */
  public String type() {
    return type;
  }

  /** All elements below, in order. */
  public List<XmlElement> children() {
    return List.copyOf(children);
  }

  public List<XmlElement> all(String child) {
    return children.stream().filter(element -> element.name.equals(child)).toList();
  }

  /** Refuses a child that is there more than once. */
  public Optional<XmlElement> optional(String child) {
    List<XmlElement> found = all(child);
    if (found.size() > 1) {
      throw malformed(name + " has more than one " + child);
    }
    return found.stream().findFirst();
  }

  public XmlElement required(String child) {
    return optional(child).orElseThrow(() -> malformed(name + " has no " + child));
  }

  /** Refuses elements that are not named here. */
  public XmlElement allow(String... names) {
    Set<String> known = Set.of(names);
    for (XmlElement child : children) {
      if (!known.contains(child.name)) {
        throw malformed(name + " has an element " + child.name + ", which is not known here");
      }
    }
    return this;
  }

  /** The text of a leaf, white space included. */
  public String text() {
    if (!children.isEmpty()) {
      throw malformed(name + " has elements instead of text");
    }
    return text.toString();
  }

  public String text(String child) {
    return required(child).text();
  }

  /** False where the child is missing. */
  public boolean flag(String child) {
    String value = optional(child).map(XmlElement::text).orElse("false").trim();
    return switch (value) {
      case "true", "1" -> true;
      case "false", "0" -> false;
      default -> throw malformed(child + " must be true or false");
    };
  }

  /** A whole number of a leaf; may be negative, the bounds are the caller's. */
  public long number() {
    String digits = text().trim();
    if (!digits.matches("-?[0-9]{1,18}")) {
      throw malformed(name + " must be a whole number");
    }
    return Long.parseLong(digits);
  }

  /** The same element with a leaf before its children. */
  XmlElement withFirst(String leaf, String value) {
    XmlElement other = new XmlElement(name, type);
    XmlElement first = new XmlElement(leaf, "");
    first.text.append(value);
    other.children.add(first);
    other.children.addAll(children);
    return other;
  }

  /** A document of these elements in the S3 namespace, without comments and white space between. */
  static String toDocument(String root, List<XmlElement> elements) {
    Xml xml = Xml.document(root);
    elements.forEach(element -> element.write(xml));
    return xml.finish();
  }

  private void write(Xml xml) {
    if (children.isEmpty()) {
      xml.text(name, text.toString());
    } else {
      xml.start(name);
      children.forEach(child -> child.write(xml));
      xml.end();
    }
  }

  static S3Exception malformed(String message) {
    return new S3Exception(S3ErrorCode.MALFORMED_XML, message);
  }
}
