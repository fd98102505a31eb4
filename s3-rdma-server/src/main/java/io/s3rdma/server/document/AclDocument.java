package io.s3rdma.server.document;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.Xml;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** The document of an access list, both ways, for lists that have a name. */
public final class AclDocument {
  private static final String GROUPS = "http://acs.amazonaws.com/groups/global/";
  private static final String XSI = "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"";
  private static final String FULL_CONTROL = "FULL_CONTROL";

  private AclDocument() {}

  /** The list that grants what the document grants; 501 where none does. */
  public static CannedAcl parse(byte[] document, String ownerId) {
    XmlElement root = XmlElement.parse(document, "AccessControlPolicy");
    root.allow("Owner", "AccessControlList");
    Set<Grant> wanted = new HashSet<>();
    for (XmlElement grant : root.required("AccessControlList").allow("Grant").all("Grant")) {
      wanted.add(Grant.of(grant.allow("Grantee", "Permission")));
    }
    for (CannedAcl acl : CannedAcl.values()) {
      if (grants(acl, ownerId).equals(wanted)) {
        return acl;
      }
    }
    throw new S3Exception(
        S3ErrorCode.NOT_IMPLEMENTED, "only the grants of a canned ACL are implemented here");
  }

  public static String toDocument(CannedAcl acl, String ownerId, String ownerName) {
    Xml xml = Xml.document("AccessControlPolicy").start("Owner");
    xml.text("ID", ownerId).text("DisplayName", ownerName).end().start("AccessControlList");
    write(xml.start("Grant"), "CanonicalUser");
    xml.text("ID", ownerId).text("DisplayName", ownerName).end();
    xml.text("Permission", FULL_CONTROL).end();
    for (String permission : acl.permissions().stream().sorted().toList()) {
      write(xml.start("Grant"), "Group");
      xml.text("URI", group(acl)).end().text("Permission", permission).end();
    }
    return xml.finish();
  }

  private static void write(Xml xml, String type) {
    xml.start("Grantee", "Grantee " + XSI + " xsi:type=\"" + type + "\"");
  }

  private static Set<Grant> grants(CannedAcl acl, String ownerId) {
    Set<Grant> grants = new HashSet<>();
    grants.add(new Grant(ownerId, FULL_CONTROL));
    acl.permissions().forEach(permission -> grants.add(new Grant(group(acl), permission)));
    return grants;
  }

  private static String group(CannedAcl acl) {
    return GROUPS + (acl.letsAnybodyRead() ? "AllUsers" : "AuthenticatedUsers");
  }

  /** {@code grantee} is an account's id or a group's address. */
  private record Grant(String grantee, String permission) {
    static Grant of(XmlElement grant) {
      XmlElement grantee = grant.required("Grantee");
      grantee.allow("ID", "DisplayName", "URI", "EmailAddress", "Type");
      Optional<XmlElement> name = grantee.optional("ID").or(() -> grantee.optional("URI"));
      String permission = grant.text("Permission").trim();
      if (!Set.of(FULL_CONTROL, "READ", "WRITE", "READ_ACP", "WRITE_ACP").contains(permission)) {
        throw XmlElement.malformed("there is no Permission " + permission);
      }
      return new Grant(name.map(XmlElement::text).orElse("").trim(), permission);
    }
  }
}
