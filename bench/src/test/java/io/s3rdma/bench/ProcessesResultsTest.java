package io.s3rdma.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessesResultsTest {
  private final ProcessesResults results = new ProcessesResults(Map.of());

  @Test
  void shouldHoldTheSumAgainstOneProcessAndTheMostServedAgainstTheLeast() {
    results.add(100, List.of(30.0, 25.0, 40.0));
    assertThat(results.bars().getFirst().median()).isCloseTo(0.95, within(1e-9));
    assertThat(results.bars().getLast().median()).isCloseTo(1.6, within(1e-9));
    assertThat(results.bars()).extracting(Bar::met).containsExactly(true, false);
    assertThat(results.barsMet()).isFalse();
  }

  @Test
  void shouldMeetItsBarsWhenSeveralGetAsMuchAndAllTheSame() {
    results.add(100, List.of(46.0, 45.0));
    assertThat(results.barsMet()).isTrue();
  }
}
