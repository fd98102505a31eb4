package io.s3rdma.server.document;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.Xml;
import io.s3rdma.server.store.BucketMeta.Versioning;

/** The document that turns versioning on or suspends it, both ways. */
public final class VersioningDocument {
  private static final String ROOT = "VersioningConfiguration";

  private VersioningDocument() {}

  /** Never off: who had versions keeps them. */
  public static Versioning parse(byte[] document) {
    XmlElement root = XmlElement.parse(document, ROOT).allow("Status", "MfaDelete");
    String mfaDelete = root.optional("MfaDelete").map(XmlElement::text).orElse("Disabled").trim();
    switch (mfaDelete) {
      case "Disabled" -> {}
      case "Enabled" -> throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, "MfaDelete");
      default -> throw XmlElement.malformed("MfaDelete must be Enabled or Disabled");
    }
    String status =
        root.optional("Status")
            .map(XmlElement::text)
            .orElseThrow(() -> new S3Exception(S3ErrorCode.ILLEGAL_VERSIONING_CONFIGURATION))
            .trim();
    return switch (status) {
      case "Enabled" -> Versioning.ENABLED;
      case "Suspended" -> Versioning.SUSPENDED;
      default -> throw XmlElement.malformed("Status must be Enabled or Suspended");
    };
  }

  public static String toDocument(Versioning versioning) {
    Xml xml = Xml.document(ROOT);
    switch (versioning) {
      case OFF -> {}
      case ENABLED -> xml.text("Status", "Enabled");
      case SUSPENDED -> xml.text("Status", "Suspended");
    }
    return xml.finish();
  }
}
