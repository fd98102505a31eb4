package io.s3rdma.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo with its processes. Not for a real device, where people run the demo itself. */
final class DemoIT {
  @TempDir private Path folder;

  @Test
  void shouldShowHttpAloneAndExitWithThreeWhenTheDeviceIsTheFake() throws IOException {
    Path file = Files.write(folder.resolve("f"), new byte[200_000]);

    Run demo = Run.of("demo", "--file=" + file);

    assertThat(demo.exitCode()).as(demo.err()).isEqualTo(3);
    assertThat(demo.out())
        .contains("the fake device is for tests, not for demos")
        .contains("GET by HTTP", "same bytes", "AWS SDK for Java")
        .doesNotContain("GET by RDMA", "DIFFERENT");
  }

  @Test
  void shouldTellRowsAndOutcomeWhenAskedForJson() throws IOException {
    Path file = Files.write(folder.resolve("f"), new byte[200_000]);

    Run demo = Run.of("demo", "--json", "--file=" + file);

    assertThat(demo.exitCode()).isEqualTo(3);
    assertThat(demo.out().lines()).hasSize(3).allMatch(line -> line.startsWith("{"));
    assertThat(demo.out()).contains("\"differences\":0");
  }
}
