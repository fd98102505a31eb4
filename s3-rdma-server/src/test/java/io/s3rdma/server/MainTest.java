package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldTeachWhenHelpIsAsked() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("Exit codes:", "Try it:", "S3RDMA_HTTP_PORT");
  }

  @Test
  void shouldPrintWithoutSecretsWhenConfigIsAsked() {
    assertThat(run("--print-config", "--access-key", "id", "--secret-key", "geheim")).isZero();
    assertThat(out.toString()).contains("id", "port=9000").doesNotContain("geheim");
  }

  @Test
  void shouldFailWhenCommandLineIsWrong() {
    assertThat(run("--listen", "nowhere")).isEqualTo(2);
    assertThat(err.toString()).contains("HOST:PORT");
    assertThat(run("--access-key", "id")).isEqualTo(2);
    assertThat(run("--nonsense")).isEqualTo(2);
    assertThat(run("--config", "/no/such/file.conf")).isEqualTo(2);
  }

  @Test
  void shouldFailWhenPortIsTaken(@TempDir Path directory) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String listen = "127.0.0.1:" + taken.getLocalPort();
      String data = directory.toString();

      assertThat(run("--listen", listen, "--data", data, "--access-key", "i", "--secret-key", "s"))
          .isEqualTo(1);
      assertThat(err.toString()).contains(listen, "is the port free?");
    }
  }

  private int run(String... arguments) {
    CommandLine command = Main.command();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }
}
