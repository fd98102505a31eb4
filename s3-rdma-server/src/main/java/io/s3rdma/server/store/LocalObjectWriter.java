package io.s3rdma.server.store;

import java.io.IOException;
import java.util.Map;

/** Writes a new version of an object into a {@link LocalStore}. */
final class LocalObjectWriter extends SinkWriter implements ObjectWriter {
  private final LocalStore store;
  private final NewObject object;

  LocalObjectWriter(LocalStore store, NewObject object, DataSink sink) {
    super(sink);
    this.store = store;
    this.object = object;
  }

  @Override
  public ObjectMeta commit(Preconditions preconditions, Map<String, String> checksums)
      throws IOException {
    return store.commit(object, sink(), preconditions, checksums);
  }
}
