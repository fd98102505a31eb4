package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.LiveObjects;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Objects in parts over several connections, with limits so small that tests can reach them. */
@Tag("device")
final class PartedTransferTest {
  private static final int MIB = 1 << 20;
  private static final int PART = 5 * MIB;

  private static LiveObjects before;
  private static Lab lab;
  private static S3RdmaClient client;

  @BeforeAll
  static void start() throws Exception {
    before = Lab.live();
    lab = new Lab();
    client = lab.builder().partBytes(PART).partsAtOnce(3).partedFromBytes(PART).build();
  }

  @AfterAll
  static void stopsWithoutALeak() throws Exception {
    client.close();
    lab.close();
    assertThat(Lab.live()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {PART + 1, 3 * PART, 7 * PART + 12345})
  void shouldMoveEveryByteBothWaysWhenInParts(int bytes) {
    try (HostBuffer source = TransferContractTest.random(bytes, bytes);
        HostBuffer target = HostBuffer.allocate(bytes)) {
      PutObjectRequest request =
          put("parts-" + bytes).toBuilder()
              .contentType("model/x")
              .metadata(Map.of("step", "7"))
              .build();

      TransferResult put = client.putObject(request, source, bytes);
      TransferResult get = client.getObject(Lab.BUCKET, "parts-" + bytes, target);

      for (TransferResult result : List.of(put, get)) {
        assertThat(result.transport()).isEqualTo(Transport.RDMA);
        assertThat(result.bytesByRdma()).isEqualTo(bytes);
        assertThat(result.objectBytes()).isEqualTo(bytes);
        assertThat(result.verdict()).isEqualTo("exact");
        assertThat(result.attempts()).isEqualTo((bytes + PART - 1) / PART);
      }
      assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
      assertThat(put.etag()).isEqualTo(get.etag()).contains("-" + put.attempts());
      HeadObjectResponse head =
          lab.client().s3().headObject(b -> b.bucket(Lab.BUCKET).key("parts-" + bytes));
      assertThat(head.contentType()).isEqualTo("model/x");
      assertThat(head.metadata()).containsEntry("step", "7");
    }
  }

  @Test
  void shouldReadWhatFitsWhenBufferIsLargerOrRangeIsGiven() {
    int bytes = 2 * PART + 100;
    try (HostBuffer source = TransferContractTest.random(bytes, 1);
        HostBuffer target = HostBuffer.allocate(4L * PART)) {
      client.putObject(put("fits"), source, bytes);

      TransferResult whole = client.getObject(Lab.BUCKET, "fits", target);
      assertThat(whole.bytes()).isEqualTo(bytes);
      assertThat(mismatch(target, source, 0, bytes)).isEqualTo(-1);

      ByteRange range = new ByteRange(1000, 3L * PART);
      TransferResult ranged = client.getObject(Lab.BUCKET, "fits", range, target);
      assertThat(ranged.bytes()).isEqualTo(bytes - 1000);
      assertThat(mismatch(target, source, 1000, bytes - 1000)).isEqualTo(-1);
    }
  }

  @Test
  void shouldTellWhenTheObjectIsLargerThanTheBuffer() {
    try (HostBuffer source = TransferContractTest.random(3L * PART, 2);
        HostBuffer target = HostBuffer.allocate(2L * PART)) {
      client.putObject(put("large"), source, 3L * PART);

      assertThatThrownBy(() -> client.getObject(Lab.BUCKET, "large", target))
          .isInstanceOf(TransferFailedException.class)
          .hasMessageContaining("larger than the buffer");
    }
  }

  @Test
  void shouldReadAnEmptyObject() {
    try (HostBuffer source = HostBuffer.allocate(1);
        HostBuffer target = HostBuffer.allocate(2L * PART)) {
      client.putObject(put("empty"), source, 0);

      assertThat(client.getObject(Lab.BUCKET, "empty", target).bytes()).isZero();
    }
  }

  @Test
  void shouldNeverMixVersionsWhenOverwrittenBetweenParts() {
    try (HostBuffer first = TransferContractTest.random(4L * PART, 3);
        HostBuffer second = TransferContractTest.random(4L * PART, 4);
        HostBuffer target = HostBuffer.allocate(4L * PART)) {
      client.putObject(put("mixed"), first, 4L * PART);
      Thread writer =
          new Thread(
              () -> {
                for (int i = 0; i < 6; i++) {
                  client.putObject(put("mixed"), i % 2 == 0 ? second : first, 4L * PART);
                }
              });
      writer.start();
      int whole = 0;
      while (writer.isAlive() || whole == 0) {
        try {
          client.getObject(Lab.BUCKET, "mixed", target);
          boolean one = target.segment().mismatch(first.segment()) == -1;
          boolean other = target.segment().mismatch(second.segment()) == -1;
          assertThat(one || other).isTrue();
          whole++;
        } catch (S3Exception e) {
          assertThat(e.statusCode()).isEqualTo(412);
        }
      }
    }
  }

  @Test
  void shouldPutFromASourceWhenTheObjectFitsNoMemory() {
    int bytes = 5 * PART + 77;
    AtomicInteger buffers = new AtomicInteger();
    try (HostBuffer source = TransferContractTest.random(bytes, 5);
        HostBuffer target = HostBuffer.allocate(bytes)) {
      TransferResult put =
          client.putObject(
              put("source"),
              bytes,
              (offset, length, buffer) ->
                  buffer.copyIn(0, source.segment().asSlice(offset, length)),
              () -> {
                buffers.incrementAndGet();
                return HostBuffer.allocate(client.partBytesFor(bytes));
              });

      assertThat(put.bytesByRdma()).isEqualTo(bytes);
      assertThat(buffers).hasValue(3);
      client.getObject(Lab.BUCKET, "source", target);
      assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
    }
  }

  @Test
  void shouldLeaveNothingWhenASourceFails() {
    assertThatThrownBy(
            () ->
                client.putObject(
                    put("failing"),
                    9L * PART,
                    (offset, length, buffer) -> {
                      if (offset > 3L * PART) {
                        throw new IOException("the disk is gone");
                      }
                    },
                    () -> HostBuffer.allocate(PART)))
        .isInstanceOf(TransferFailedException.class)
        .hasMessageContaining("the disk is gone");

    assertThat(lab.client().s3().listMultipartUploads(b -> b.bucket(Lab.BUCKET)).uploads())
        .isEmpty();
  }

  @Test
  void shouldDecideConditionsWhenCompleted() {
    try (HostBuffer source = TransferContractTest.random(2L * PART, 6)) {
      PutObjectRequest absent = put("once").toBuilder().ifNoneMatch("*").build();
      client.putObject(absent, source, 2L * PART);

      assertThatThrownBy(() -> client.putObject(absent, source, 2L * PART))
          .isInstanceOfSatisfying(
              S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
      assertThat(lab.client().s3().listMultipartUploads(b -> b.bucket(Lab.BUCKET)).uploads())
          .isEmpty();
    }
  }

  private static PutObjectRequest put(String key) {
    return PutObjectRequest.builder().bucket(Lab.BUCKET).key(key).build();
  }

  private static long mismatch(HostBuffer target, HostBuffer source, long from, long length) {
    return MemorySegment.mismatch(
        target.segment(), 0, length, source.segment(), from, from + length);
  }
}
