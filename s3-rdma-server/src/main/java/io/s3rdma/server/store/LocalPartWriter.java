package io.s3rdma.server.store;

import java.io.IOException;
import java.util.Map;

/** Writes a part of an upload into a {@link LocalStore}. */
final class LocalPartWriter extends SinkWriter implements PartWriter {
  private final LocalMultipart uploads;
  private final UploadMeta upload;
  private final int number;

  LocalPartWriter(LocalMultipart uploads, UploadMeta upload, int number, DataSink sink) {
    super(sink);
    this.uploads = uploads;
    this.upload = upload;
    this.number = number;
  }

  @Override
  public PartMeta commit(Map<String, String> checksums) throws IOException {
    return uploads.commitPart(upload, number, sink(), checksums);
  }
}
