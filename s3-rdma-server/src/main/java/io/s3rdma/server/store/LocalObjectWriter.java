package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** Writes a new version of an object into a {@link LocalStore}. */
final class LocalObjectWriter implements ObjectWriter {
  private final LocalStore store;
  private final NewObject object;
  private final DataSink sink;

  LocalObjectWriter(LocalStore store, NewObject object, DataSink sink) {
    this.store = store;
    this.object = object;
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
  public ObjectMeta commit(Preconditions preconditions, Map<String, String> checksums)
      throws IOException {
    return store.commit(object, sink, preconditions, checksums);
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
