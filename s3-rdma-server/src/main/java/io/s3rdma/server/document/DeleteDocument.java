package io.s3rdma.server.document;

import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.util.List;

/** The document of DeleteObjects. */
public record DeleteDocument(List<Item> items, boolean quiet) {
  private static final int ITEMS_MAX = 1000;

  public DeleteDocument {
    items = List.copyOf(items);
  }

  /**
   * What to delete.
   *
   * @param versionId empty for the current version
   * @param etag what the object must have, without quotes; empty for no condition
   */
  public record Item(String key, String versionId, String etag) {}

  public static DeleteDocument parse(byte[] document) {
    XmlElement root = XmlElement.parse(document, "Delete").allow("Object", "Quiet");
    List<XmlElement> objects = root.all("Object");
    if (objects.isEmpty() || objects.size() > ITEMS_MAX) {
      throw XmlElement.malformed("from 1 to " + ITEMS_MAX + " objects are needed");
    }
    return new DeleteDocument(
        objects.stream().map(DeleteDocument::item).toList(), root.flag("Quiet"));
  }

  private static Item item(XmlElement object) {
    object.allow("Key", "VersionId", "ETag", "LastModifiedTime", "Size");
    for (String condition : List.of("LastModifiedTime", "Size")) {
      // A condition that is not known must not be taken for none.
      if (object.optional(condition).isPresent()) {
        throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED, "DeleteObjects with " + condition);
      }
    }
    String key = object.text("Key");
    if (key.isEmpty()) {
      throw new S3Exception(S3ErrorCode.USER_KEY_MUST_BE_SPECIFIED);
    }
    String etag = object.optional("ETag").map(XmlElement::text).orElse("");
    String version = object.optional("VersionId").map(XmlElement::text).orElse("");
    return new Item(key, version.trim(), etag.trim().replace("\"", ""));
  }
}
