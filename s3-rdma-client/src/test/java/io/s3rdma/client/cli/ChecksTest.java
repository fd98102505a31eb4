package io.s3rdma.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ChecksTest {
  @ParameterizedTest
  @CsvSource({
    "unlimited, OK, unlimited",
    "8388608, NOTE, 8.0 MiB of memory can be locked",
    "268435456, OK, 256.0 MiB of memory can be locked",
    "18446744073709551615, OK, -1 B of memory can be locked"
  })
  void shouldJudgeTheMemlockLimitWhenItIsKnown(String soft, Check.Status status, String found) {
    String limits =
        "Limit                     Soft Limit           Hard Limit           Units\n"
            + "Max locked memory         "
            + soft
            + "              unlimited            bytes\n"
            + "Max open files            1024                 4096                 files\n";

    Check check = HostChecks.memlock(limits);

    assertThat(check.status()).isEqualTo(status);
    assertThat(check.found()).isEqualTo(found);
  }

  @Test
  void shouldSayUnknownWhenThereIsNoSuchLimit() {
    assertThat(HostChecks.memlock("").found()).isEqualTo("unknown");
  }

  @Test
  void shouldShowTheNextStepBelowWhenThereIsOne() {
    assertThat(Check.fail("devices", "none", "buy one").line())
        .isEqualTo("FAIL  devices       none\n                    -> buy one");
    assertThat(Check.ok("java", "25").line()).isEqualTo("ok    java          25");
  }

  @Test
  void shouldSumUserAndSystemTimeWhenTheProcessHasAnOddName() {
    String stat = "42 (a) b (c) S 1 42 42 0 -1 4194560 1 0 0 0 150 25 7 8 20 0 1 0 9 1 1";

    assertThat(ProcessCpu.parse(stat)).isEqualTo(1.75);
  }

  @Test
  void shouldLineUpAndDashWhatHttpHasNotWhenTheDemoIsShown() {
    List<DemoRow> rows =
        List.of(
            new DemoRow("PUT", "RDMA", 8192, 0.001, 0.01, 0.02, "exact", 2, 2, 3, ""),
            new DemoRow("GET", "HTTP", 8192, 0.002, 0.01, 0.02, "-", 0, 0, -1, "00"));

    List<String> lines = DemoTable.render(rows);

    assertThat(lines).hasSize(4).allMatch(line -> line.length() <= 104);
    assertThat(lines.get(2)).contains("PUT by RDMA", "##########", "exact", " 2 ", " 3");
    assertThat(lines.get(3)).contains("GET by HTTP", " ##### ").endsWith("-         -");
    assertThat(lines.get(1).length()).isEqualTo(lines.get(2).length());
  }
}
