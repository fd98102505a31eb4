package io.s3rdma.server.s3;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The document of DeleteObjects; refuses what it does not know, entities above all. */
record DeleteDocument(List<String> keys, boolean quiet) {
  private static final int KEYS_MAX = 1000;

  DeleteDocument {
    keys = List.copyOf(keys);
  }

  static DeleteDocument parse(byte[] document) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      return parse(factory.createXMLStreamReader(new ByteArrayInputStream(document)));
    } catch (XMLStreamException e) {
      throw new S3Exception(S3ErrorCode.MALFORMED_XML, S3ErrorCode.MALFORMED_XML.text(), e);
    }
  }

  private static DeleteDocument parse(XMLStreamReader xml) throws XMLStreamException {
    List<String> keys = new ArrayList<>();
    boolean quiet = false;
    boolean root = false;
    while (xml.hasNext()) {
      if (xml.next() != XMLStreamConstants.START_ELEMENT) {
        continue;
      }
      switch (xml.getLocalName()) {
        case "Delete" -> root = true;
        case "Key" -> keys.add(xml.getElementText());
        case "Quiet" -> quiet = Boolean.parseBoolean(xml.getElementText().trim());
        case "VersionId" -> requireNullVersion(xml.getElementText());
        case "Object" -> {}
        // A condition that is not known must not be taken for none.
        default ->
            throw new S3Exception(
                S3ErrorCode.NOT_IMPLEMENTED, "DeleteObjects with " + xml.getLocalName());
      }
    }
    if (!root || keys.isEmpty() || keys.size() > KEYS_MAX) {
      throw new S3Exception(
          S3ErrorCode.MALFORMED_XML, "from 1 to " + KEYS_MAX + " keys are needed");
    }
    return new DeleteDocument(keys, quiet);
  }

  private static void requireNullVersion(String version) {
    if (!version.isEmpty() && !version.equals("null")) {
      throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, "objects have no versions here");
    }
  }
}
