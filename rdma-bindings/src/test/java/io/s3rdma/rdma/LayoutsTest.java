package io.s3rdma.rdma;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.QueuePairInfo.State;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Java's structures are C's: sizes by question, offsets by values that went through C. */
@Tag("device")
final class LayoutsTest {
  @Test
  void shouldAgreeInSizeWhenAskedFromC() throws Throwable {
    NativeLibrary library = NativeLibrary.get();

    assertThat(AbiCheck.mismatch(library)).isEmpty();
    int pastTheEnd =
        (int)
            library.bind("s3r_sizeof", ValueLayout.JAVA_INT).invokeExact(Layouts.BY_NUMBER.size());
    assertThat(pastTheEnd).as("C has a structure that Java does not know").isNegative();
  }

  @Test
  void shouldHaveNoPaddingWhenFieldsAreAdded() { // s3rdma.h: no implicit padding
    assertThat(Layouts.BY_NUMBER)
        .allSatisfy(
            layout ->
                assertThat(layout.memberLayouts().stream().mapToLong(m -> m.byteSize()).sum())
                    .isEqualTo(layout.byteSize()));
  }

  @Test
  void shouldReadBackDistinctValuesWhenQueuePairIsSet() {
    try (TestEnd end = new TestEnd()) {
      QueuePair pair = end.pair();
      pair.toReadyToReceive(
          new ReadyToReceive(
              end.gid(), 0x34567, 0xabcdef, 1, gidIndex(end), 1024, 8, 0, end.endpoint().lid()));
      pair.toReadyToSend(new ReadyToSend(0x123456, 2, 11, 3));

      QueuePairInfo info = pair.query();
      assertThat(info)
          .isEqualTo(
              new QueuePairInfo(
                  State.READY_TO_SEND,
                  pair.number(),
                  0x123456,
                  0xabcdef,
                  0x34567,
                  Set.of(Access.REMOTE_READ, Access.REMOTE_WRITE),
                  1024,
                  3,
                  11,
                  2,
                  8));
    }
  }

  private static int gidIndex(TestEnd end) {
    List<GidEntry> entries = end.domain().device().gids(1);
    return GidSelector.select(entries, true, java.util.Optional.of(end.gid().toInetAddress()))
        .orElseThrow()
        .index();
  }

  @Test
  void shouldEchoIdAndLengthWhenChunkGoesThroughC() {
    try (TestEnd near = new TestEnd();
        TestEnd far = new TestEnd()) {
      TestEnd.connect(near, far);
      MemorySegment source = near.memory(4096);
      MemoryRegion local = near.register(source);
      MemorySegment target = far.memory(4096);
      MemoryRegion remote = far.register(target);
      RemoteKey key =
          far.bind(far.window(), remote, target.address(), 4096, TransferRight.REMOTE_WRITE);
      long id = 0x8123_4567_89ab_cdefL;
      near.postWrite(id, local, source.asSlice(64, 321), target.address() + 128, key);

      assertThat(near.await())
          .isEqualTo(new TestEnd.Done(id, CompletionStatus.SUCCESS, near.pair().number(), 0, 321));
    }
  }

  @Test
  void shouldBePlausibleWhenDeviceAndPortAreRead() {
    try (TestEnd end = new TestEnd()) {
      RdmaDevice device = end.domain().device();
      DeviceAttributes attributes = device.attributes();
      assertThat(attributes.name()).isEqualTo(device.name());
      assertThat(attributes.ports()).isEqualTo(1);
      assertThat(attributes.maxQueuePairs()).isGreaterThan(100);
      assertThat(attributes.maxWorkRequests()).isGreaterThan(100);
      assertThat(attributes.maxCompletions()).isGreaterThan(100);
      assertThat(attributes.maxOutgoingReads()).isBetween(1, 255);
      assertThat(attributes.maxIncomingReads()).isBetween(1, 255);
      // Unsigned: Soft-RoCE says 2^64-1.
      assertThat(Long.compareUnsigned(attributes.maxRegionBytes(), 1L << 30)).isPositive();
      PortAttributes port = device.port(1);
      assertThat(port.active()).isTrue();
      assertThat(port.ethernet()).isTrue();
      assertThat(port.activeMtuBytes()).isBetween(256, port.maxMtuBytes());
      assertThat(port.maxMessageBytes()).isBetween(1L << 20, 1L << 31);
      assertThat(device.gids(1)).extracting(GidEntry::gid).contains(end.gid());
    }
  }
}
