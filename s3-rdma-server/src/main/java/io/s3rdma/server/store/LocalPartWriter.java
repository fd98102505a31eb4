package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** Writes a part of an upload into a {@link LocalStore}. */
final class LocalPartWriter implements PartWriter {
  private final LocalMultipart uploads;
  private final UploadMeta upload;
  private final int number;
  private final DataSink sink;

  LocalPartWriter(LocalMultipart uploads, UploadMeta upload, int number, DataSink sink) {
    this.uploads = uploads;
    this.upload = upload;
    this.number = number;
    this.sink = sink;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    sink.write(bytes);
  }

  @Override
  public long written() {
    return sink.written();
  }

  @Override
  public byte[] md5() {
    return sink.md5();
  }

  @Override
  public PartMeta commit(Map<String, String> checksums) throws IOException {
    return uploads.commitPart(upload, number, sink, checksums);
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
