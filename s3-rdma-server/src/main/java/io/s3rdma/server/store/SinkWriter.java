package io.s3rdma.server.store;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Writes into a {@link DataSink}; what a commit makes of it is the subclass's. */
abstract class SinkWriter implements DataWriter {
  private final DataSink sink;

  SinkWriter(DataSink sink) {
    this.sink = sink;
  }

  final DataSink sink() {
    return sink;
  }

  @Override
  public final void write(ByteBuffer bytes) throws IOException {
    sink.write(bytes);
  }

  @Override
  public final long written() {
    return sink.written();
  }

  @Override
  public final byte[] md5() {
    return sink.md5();
  }

  @Override
  public final void close() throws IOException {
    sink.close();
  }
}
