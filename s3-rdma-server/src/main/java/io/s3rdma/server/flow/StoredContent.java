package io.s3rdma.server.flow;

import io.s3rdma.server.http.ObjectContent;
import io.s3rdma.server.store.StoredObject;
import java.io.IOException;

/** An opened object of the store as the body of an answer. */
record StoredContent(StoredObject object) implements ObjectContent {
  @Override
  public Region region(long position, long lengthMax) {
    return new Region.OfFile(object.channel(), position, lengthMax);
  }

  @Override
  public void close() throws IOException {
    object.close();
  }
}
