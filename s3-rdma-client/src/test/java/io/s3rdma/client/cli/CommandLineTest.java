package io.s3rdma.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without a server. */
final class CommandLineTest {
  private static final String NOBODY = "--endpoint=http://127.0.0.1:1";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "get",
        "get b/k",
        "get s3://b",
        "put f",
        "mb s3://b/k",
        "ls -x",
        "get --rdma sometimes s3://b/k",
        "get --memory vram s3://b/k",
        "nonsense",
        "get --endpoint=ftp://x s3://b/k",
        "get --access-key=a s3://b/k",
        "verify",
        "verify --access-key=a --secret-key=b --bytes=1 s3://b",
        "verify --access-key=a --secret-key=b --rdma=never s3://b",
        "get --deadline=0 s3://b/k",
        "get --access-key=a --secret-key=b --part-bytes=0 s3://b/k",
        "get --access-key=a --secret-key=b --part-bytes=4294967296 s3://b/k"
      })
  void shouldExitWithTwoAndOneLineWhenUsageIsWrong(String line) {
    Run run = Run.of(line.split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err().lines()).singleElement().asString().startsWith("s3rdma: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "put", "ls", "stat", "rm", "mb", "verify", "doctor", "demo"})
  void shouldListTheExitCodesWhenAskedForHelp(String command) {
    Run run = Run.of(command, "--help");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out())
        .contains("Usage: s3rdma " + command)
        .contains("3   RDMA is required and cannot be had here")
        .contains("4   no such bucket or object");
    assertThat(run.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void shouldHideTheDemosOwnHelperWhenAskedForHelp() {
    Run run = Run.of("--help");

    assertThat(run.out()).contains("doctor").doesNotContain("demo-client");
  }

  @Test
  void shouldSayWhatToStartWhenNoServerAnswers() {
    Run run = Run.of("stat", NOBODY, "--access-key=a", "--secret-key=hush", "s3://b/k");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "s3rdma: no server answers at http://127.0.0.1:1; next step: start one with s3rdma"
                + " server, or set --endpoint or S3RDMA_ENDPOINT\n");
  }

  @Test
  void shouldShowTheStackOnlyWhenVerbose() {
    Run run =
        Run.of("stat", NOBODY, "--verbose", "--access-key=a", "--secret-key=hush", "s3://b/k");

    assertThat(run.err()).contains("no server answers", "\tat ").doesNotContain("hush");
  }

  @Test
  void shouldNameTheFileWhenThereIsNone() {
    Run run = Run.of("put", NOBODY, "--access-key=a", "--secret-key=b", "/no/such", "s3://b/k");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("s3rdma: /no/such: no such file or folder\n");
  }
}
