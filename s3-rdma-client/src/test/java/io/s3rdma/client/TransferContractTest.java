package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.Rdma;
import io.s3rdma.rdma.wire.EvidenceText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What a transfer must do on every device: written once, run on the fake and on Soft-RoCE. */
@Tag("device")
@ParameterizedClass(name = "leanHttp = {0}")
@ValueSource(booleans = {true, false})
final class TransferContractTest {
  private static final int MIB = 1 << 20;
  private static LiveObjects before;
  private static Lab lab;

  @Parameter
  @SuppressWarnings("UnusedVariable") // start() has used it
  private boolean lean;

  @BeforeParameterizedClassInvocation
  static void start(boolean lean) throws Exception {
    before = Lab.live();
    lab = new Lab(Map.of(), lean);
  }

  @AfterParameterizedClassInvocation
  static void stopsWithoutALeak() throws Exception {
    lab.close();
    assertThat(Lab.live()).isEqualTo(before);
  }

  @Test
  void shouldRunOnTheDeviceOfItsLane() {
    String lane = System.getProperty("s3rdma.lane");
    assertThat(Rdma.provider()).isEqualTo(lane.equals("fabric") ? "verbs" : "fake");
    assertThat(Rdma.deviceNames()).as("a lane without a device proves nothing").isNotEmpty();
  }

  static HostBuffer random(long bytes, long seed) {
    HostBuffer buffer = HostBuffer.allocate(bytes);
    Random random = new Random(seed);
    byte[] block = new byte[1 << 16];
    for (long at = 0; at < bytes; at += block.length) {
      random.nextBytes(block);
      int n = (int) Math.min(block.length, bytes - at);
      MemorySegment.copy(block, 0, buffer.segment(), ValueLayout.JAVA_BYTE, at, n);
    }
    return buffer;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4095, 4096, 4097, MIB + 1, 5 * MIB - 3, 64 * MIB, 300 * MIB})
  void shouldMoveEveryByteBothWaysWithExactEvidence(int bytes) {
    try (HostBuffer source = random(bytes, bytes);
        HostBuffer target = HostBuffer.allocate(bytes)) {
      TransferResult put = lab.client().putObject(Lab.BUCKET, "size-" + bytes, source);
      TransferResult get = lab.client().getObject(Lab.BUCKET, "size-" + bytes, target);

      for (TransferResult result : List.of(put, get)) {
        assertThat(result.transport()).isEqualTo(Transport.RDMA);
        assertThat(result.bytesByRdma()).isEqualTo(bytes);
        assertThat(result.bytesByHttp()).isZero();
        assertThat(result.verdict()).isEqualTo("exact");
        assertThat(result.attempts()).isEqualTo(1);
        EvidenceText proof = result.evidence().orElseThrow();
        assertThat(proof.bytes()).isEqualTo(bytes);
        assertThat(proof.httpBytes()).isZero();
      }
      assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
      lab.client().s3().deleteObject(b -> b.bucket(Lab.BUCKET).key("size-" + bytes));
    }
  }

  @Test
  void shouldMoveNothingForAnEmptyObject() {
    try (HostBuffer buffer = random(16, 1)) {
      byte[] untouched = buffer.segment().toArray(ValueLayout.JAVA_BYTE);
      TransferResult put =
          lab.client()
              .putObject(
                  PutObjectRequest.builder().bucket(Lab.BUCKET).key("empty").build(), buffer, 0);
      TransferResult get = lab.client().getObject(Lab.BUCKET, "empty", buffer);

      assertThat(put.bytes()).isZero();
      assertThat(put.httpReason()).hasValueSatisfying(r -> assertThat(r).contains("empty"));
      assertThat(get.transport()).isEqualTo(Transport.RDMA); // P-4.4: reply 200, 0 bytes
      assertThat(get.bytes()).isZero();
      assertThat(buffer.segment().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(untouched);
    }
  }

  @Test
  void shouldHaveAnMd5EtagOnlyWhereContentMd5Came() throws Exception {
    try (HostBuffer source = random(70_000, 21)) {
      byte[] md5 =
          MessageDigest.getInstance("MD5").digest(source.segment().toArray(ValueLayout.JAVA_BYTE));
      PutObjectRequest plain = PutObjectRequest.builder().bucket(Lab.BUCKET).key("etag").build();
      assertThat(lab.client().putObject(plain, source, 70_000).etag()).endsWith("-1\"");

      PutObjectRequest withMd5 =
          plain.toBuilder().contentMD5(Base64.getEncoder().encodeToString(md5)).build();
      TransferResult put = lab.client().putObject(withMd5, source, 70_000);
      assertThat(put.verdict()).isEqualTo("exact");
      assertThat(put.etag()).isEqualTo('"' + HexFormat.of().formatHex(md5) + '"');

      md5[0] ^= 1;
      PutObjectRequest wrong =
          plain.toBuilder().contentMD5(Base64.getEncoder().encodeToString(md5)).build();
      assertThatThrownBy(() -> lab.client().putObject(wrong, source, 70_000))
          .isInstanceOf(S3Exception.class)
          .hasMessageContaining("Content-MD5");
    }
  }

  @Test
  void shouldReadARangeToTheStartOfTheWindowAndNothingBeyond() {
    try (HostBuffer source = random(3 * MIB, 7);
        HostBuffer target = HostBuffer.allocate(MIB)) {
      target.segment().fill((byte) 0x5a);
      lab.client().putObject(Lab.BUCKET, "ranged", source);
      TransferResult get =
          lab.client()
              .getObject(
                  Lab.BUCKET, "ranged", new ByteRange(MIB + 17, 5000), target.slice(4096, 5000));

      assertThat(get.bytesByRdma()).isEqualTo(5000);
      assertThat(get.objectBytes()).isEqualTo(3 * MIB);
      assertThat(
              MemorySegment.mismatch(
                  source.segment(), MIB + 17, MIB + 17 + 5000, target.segment(), 4096, 4096 + 5000))
          .isEqualTo(-1);
      assertGuards(target.segment(), 4096, 5000);
    }
  }

  static void assertGuards(MemorySegment memory, long from, long length) {
    for (long i = 0; i < memory.byteSize(); i++) {
      if (i < from || i >= from + length) {
        assertThat(memory.get(ValueLayout.JAVA_BYTE, i))
            .as("guard byte " + i)
            .isEqualTo((byte) 0x5a);
      }
    }
  }

  @Test
  void shouldPutOnlyTheSlice() {
    try (HostBuffer source = random(MIB, 9);
        HostBuffer target = HostBuffer.allocate(3000)) {
      lab.client().putObject(Lab.BUCKET, "slice", source.slice(12345, 3000));
      lab.client().getObject(Lab.BUCKET, "slice", target);

      assertThat(MemorySegment.mismatch(source.segment(), 12345, 15345, target.segment(), 0, 3000))
          .isEqualTo(-1);
    }
  }

  @Test
  void shouldKeepThirtyTwoConcurrentTransfersApart() throws Exception {
    int[] sizes = {1, 4097, 70_000, MIB, 3 * MIB + 5};
    try (S3RdmaClient client = lab.builder().connectionsMax(12).build();
        ExecutorService workers = Executors.newFixedThreadPool(32)) {
      List<Future<TransferResult>> results = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        int number = i;
        results.add(workers.submit(() -> roundTrip(client, number, sizes[number % sizes.length])));
      }
      for (Future<TransferResult> result : results) {
        assertThat(result.get().verdict()).isEqualTo("exact");
      }
    }
  }

  private static TransferResult roundTrip(S3RdmaClient client, int number, int bytes) {
    try (HostBuffer source = random(bytes, number);
        HostBuffer target = HostBuffer.allocate(bytes)) {
      assertThat(client.putObject(Lab.BUCKET, "many-" + number, source).verdict())
          .isEqualTo("exact");
      TransferResult get = client.getObject(Lab.BUCKET, "many-" + number, target);
      assertThat(target.segment().mismatch(source.segment())).isEqualTo(-1);
      return get;
    }
  }

  @Test
  void shouldReuseConnectionsAndRegistrations() {
    try (HostBuffer buffer = random(4096, 3)) {
      lab.client().putObject(Lab.BUCKET, "again", buffer);
      LiveObjects once = Lab.live();
      for (int i = 0; i < 50; i++) {
        lab.client().getObject(Lab.BUCKET, "again", buffer);
      }
      assertThat(Lab.live()).isEqualTo(once);
    }
  }
}
