package io.s3rdma.server.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.encryption.Protection;
import io.s3rdma.server.store.EtagKind;
import io.s3rdma.server.store.LocalStore;
import io.s3rdma.server.store.NewObject;
import io.s3rdma.server.store.ObjectWriter;
import io.s3rdma.server.store.Preconditions;
import io.s3rdma.server.store.StoreConfig;
import io.s3rdma.server.store.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectSourceTest {
  @TempDir Path directory;

  /** What has no name is not kept in memory behind its request. */
  @Test
  void shouldHaveNoNameWhenEncrypted() throws IOException {
    StoreConfig config =
        new StoreConfig(directory, StoreConfig.Durability.NONE, 0, -1, 0, Map.of(), 0, 1 << 30);
    try (LocalStore store = new LocalStore(config)) {
      store.createBucket("bucket", "owner");
      assertThat(isNamed(store, Protection.NONE)).isTrue();
      assertThat(isNamed(store, Protection.SERVER)).isFalse();
    }
  }

  private static boolean isNamed(LocalStore store, Protection protection) throws IOException {
    NewObject object = NewObject.of("bucket", "key");
    try (ObjectWriter writer = store.create(object, 3, EtagKind.MD5, protection)) {
      writer.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      writer.commit(Preconditions.NONE, Map.of());
    }
    try (StoredObject opened = store.open("bucket", "key")) {
      return new ObjectSource(opened, 0).name().isPresent();
    }
  }
}
