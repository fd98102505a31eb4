package io.s3rdma.server.flow;

import io.s3rdma.server.http.ObjectContent;
import io.s3rdma.server.store.Extent;
import io.s3rdma.server.store.StoredObject;
import java.io.IOException;

/** An opened object of the store as the body of an answer. */
record StoredContent(StoredObject object) implements ObjectContent {
  @Override
  public Region region(long position, long lengthMax) throws IOException {
    return switch (object.extent(position, lengthMax)) {
      case Extent.InFile file -> new Region.OfFile(file.channel(), file.offset(), file.length());
      case Extent.InMemory memory -> new Region.OfMemory(memory.bytes());
    };
  }

  @Override
  public void close() throws IOException {
    object.close();
  }
}
