package io.s3rdma.server.http;

import java.io.IOException;

/**
 * A form as a browser sends it (RFC 7578), read up to its file.
 *
 * @param fields with the file's name where they ask for it
 * @param file its content, which is still to be read; whatever follows it is ignored
 */
record Form(FormFields fields, MultipartReader file) {
  /** Amazon allows 20,000; it takes a policy and ten tags with their markup. */
  static final int BYTES_MAX = 32 * 1024;

  private static final int FIELDS_MAX = 256;
  private static final String FILE = "file";

  static boolean isForm(RequestHead head) {
    return head.headers().first(HttpNames.CONTENT_TYPE).map(MultipartReader::isForm).orElse(false);
  }

  static Form read(RequestHead head, RequestBody raw) throws IOException {
    String type = head.headers().first(HttpNames.CONTENT_TYPE).orElse("");
    MultipartReader parts = MultipartReader.of(type, raw, BYTES_MAX);
    FormFields.Builder fields = new FormFields.Builder(FIELDS_MAX);
    for (PartHead part = parts.next(); part != null; part = parts.next()) {
      if (part.name().equalsIgnoreCase(FILE)) {
        return new Form(fields.build().withFileName(part.fileName()), parts);
      }
      fields.add(part.name(), parts.text());
    }
    throw new S3Exception(S3ErrorCode.INVALID_ARGUMENT, "the form has no part 'file'")
        .withDetail("ArgumentName", FILE);
  }
}
