package io.s3rdma.server.store;

import static io.s3rdma.server.store.StoreLab.BUCKET;
import static io.s3rdma.server.store.StoreLab.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.store.ObjectMeta.Layout;
import io.s3rdma.server.store.StoreException.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InlineTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"0,INLINE", "1,INLINE", "100,INLINE", "101,FILE", "500,FILE"})
  void shouldBeInTheMetadataWhenSmall(int size, Layout layout) throws IOException {
    try (StoreLab lab = new StoreLab(directory, 100)) {
      String content = "x".repeat(size);
      assertThat(lab.put("known", content).layout()).isEqualTo(layout);
      assertThat(unknownLength(lab, content).layout()).isEqualTo(layout);
      lab.reopen();

      assertThat(lab.read("known")).isEqualTo(content);
      assertThat(lab.read("unknown")).isEqualTo(content);
      assertThat(lab.dataFiles()).hasSize(layout == Layout.FILE ? 2 : 0);
      assertThat(lab.temporaries()).isEmpty();
    }
  }

  @Test
  void shouldStayReadableWhenOverwritten() throws IOException {
    try (StoreLab lab = new StoreLab(directory, 100)) {
      lab.put("k", "first");
      try (StoredObject first = lab.store().open(BUCKET, "k")) {
        lab.put("k", "second");
        assertThat(StoreLab.text(first)).isEqualTo("first");
        assertThat(first.extent(1, 3)).isInstanceOf(Extent.InMemory.class);
        assertThat(first.extent(1, 3).length()).isEqualTo(3);
      }
    }
  }

  @Test
  void shouldRefuseWhenTheBucketIsFull() throws IOException {
    StoreConfig config =
        new StoreConfig(
            directory, StoreConfig.Durability.NONE, 0, 100, 0, Map.of(BUCKET, 10L), 0, 1 << 30);
    try (StoreLab lab = new StoreLab(config)) {
      lab.put("a", "123456");
      assertThatThrownBy(() -> lab.put("b", "12345")).satisfies(reason(Reason.QUOTA_EXCEEDED));
      lab.reopen();
      assertThatThrownBy(() -> unknownLength(lab, "12345"))
          .satisfies(reason(Reason.QUOTA_EXCEEDED));
      assertThatThrownBy(() -> lab.part(lab.upload("c"), 1, "12345"))
          .satisfies(reason(Reason.QUOTA_EXCEEDED));
      lab.put("a", "1");
      lab.put("b", "12345");

      assertThat(lab.store().usage(BUCKET)).isEqualTo(new ObjectStore.Usage(6, 2));
      assertThat(lab.dataFiles()).isEmpty();
    }
  }

  private static ObjectMeta unknownLength(StoreLab lab, String content) throws IOException {
    try (ObjectWriter writer =
        lab.store().create(NewObject.of(BUCKET, "unknown"), -1, EtagKind.MD5)) {
      for (int i = 0; i < content.length(); i++) {
        writer.write(StoreLab.bytes(content.substring(i, i + 1)));
      }
      return writer.commit(Preconditions.NONE, Map.of());
    }
  }
}
