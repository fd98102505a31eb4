package io.s3rdma.server.flow;

import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.StoredObject;
import io.s3rdma.server.transfer.ByteSource;
import io.s3rdma.server.transfer.SourceName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * An opened object's bytes from one of them on.
 *
 * @param first the object's byte that is the source's byte 0
 */
record ObjectSource(StoredObject object, long first) implements ByteSource {
  @Override
  public void readFully(long position, ByteBuffer target) throws IOException {
    SourceBytes.readFully(object, first + position, target);
  }

  /**
   * An object in the metadata costs no more to read than to keep; and of an encrypted one no plain
   * byte is kept behind its request.
   */
  @Override
  public Optional<SourceName> name() {
    ObjectMeta meta = object.meta();
    return meta.layout() == ObjectMeta.Layout.INLINE || !meta.sealedKey().isNone()
        ? Optional.empty()
        : Optional.of(new SourceName(meta.id(), meta.size(), first));
  }
}
