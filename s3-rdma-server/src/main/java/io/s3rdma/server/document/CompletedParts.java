package io.s3rdma.server.document;

import io.s3rdma.server.http.ChecksumAlgorithm;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The document of CompleteMultipartUpload: what the client holds its parts to be. */
public final class CompletedParts {
  /** The most that an upload has. */
  public static final int PARTS_MAX = 10_000;

  private static final String CHECKSUM_PREFIX = "Checksum";

  private CompletedParts() {}

  /**
   * A part as the client lists it.
   *
   * @param etag without quotes
   * @param checksums header name to base64 value
   */
  public record Part(int number, String etag, Map<String, String> checksums) {
    public Part {
      checksums = Map.copyOf(checksums);
    }
  }

  /**
   * In the document's order, which must be ascending. Of a part that is listed twice in a row, as a
   * client does that sent it again, the last counts.
   */
  public static List<Part> parse(byte[] document) {
    XmlElement root = XmlElement.parse(document, "CompleteMultipartUpload").allow("Part");
    List<Part> parts = new ArrayList<>();
    for (XmlElement element : root.all("Part")) {
      Part part = part(element);
      int before = parts.isEmpty() ? 0 : parts.getLast().number();
      if (part.number() < before) {
        throw new S3Exception(S3ErrorCode.INVALID_PART_ORDER);
      }
      if (part.number() == before) {
        parts.removeLast();
      }
      parts.add(part);
    }
    if (parts.isEmpty()) {
      throw XmlElement.malformed("a completion needs at least one part");
    }
    return parts;
  }

  private static Part part(XmlElement element) {
    Map<String, String> checksums = new HashMap<>();
    for (XmlElement child : element.children()) {
      if (child.name().startsWith(CHECKSUM_PREFIX)) {
        checksums.put(header(child), child.text().trim());
      } else if (!child.name().equals("ETag") && !child.name().equals("PartNumber")) {
        throw XmlElement.malformed("Part has an element " + child.name());
      }
    }
    long number = element.required("PartNumber").number();
    if (number < 1 || number > PARTS_MAX) {
      throw new S3Exception(
          S3ErrorCode.INVALID_ARGUMENT, "PartNumber is a whole number from 1 to " + PARTS_MAX);
    }
    String etag = element.text("ETag").trim().replace("\"", "");
    return new Part((int) number, etag, checksums);
  }

  private static String header(XmlElement checksum) {
    return ChecksumAlgorithm.ofElement(checksum.name())
        .orElseThrow(
            () ->
                new S3Exception(
                    S3ErrorCode.INVALID_REQUEST,
                    checksum.name() + " is not of a checksum known here"))
        .header();
  }
}
