package io.s3rdma.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** rdma-practice 6.9: an id is an index and a generation, never a pointer. */
final class WorkRequestIdTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 0",
    "0, 1",
    "31999, 7",
    "2147483647, 2147483647",
    "5, -1",
    "2147483647, -2147483648",
  })
  void shouldRoundTripWhenEncoded(int slot, int generation) {
    long id = WorkRequestId.encode(slot, generation);

    for (long each : new long[] {id, WorkRequestId.leading(id)}) {
      assertThat(WorkRequestId.slot(each)).isEqualTo(slot);
      assertThat(WorkRequestId.generation(each)).isEqualTo(generation);
    }
    assertThat(WorkRequestId.isLeading(id)).isFalse();
    assertThat(WorkRequestId.isLeading(WorkRequestId.leading(id))).isTrue();
  }

  @Test
  void shouldHaveTheDrawnLayoutWhenEncoded() {
    assertThat(WorkRequestId.encode(0x00001234, 0x89abcdef)).isEqualTo(0x89abcdef_00001234L);
  }

  @Test
  void shouldDifferWhenSlotIsUsedAgain() {
    assertThat(WorkRequestId.encode(3, 1)).isNotEqualTo(WorkRequestId.encode(3, 2));
  }
}
