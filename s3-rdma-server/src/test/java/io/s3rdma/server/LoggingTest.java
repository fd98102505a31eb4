package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** The lines as a machine reads them. */
class LoggingTest {
  private static final Pattern PAIR = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LoggerContext context = new LoggerContext();

  @Test
  void shouldBeOneObjectALineWhenJson() throws Exception {
    List<String> lines = lines(new LogConfig(LogConfig.Format.JSON, LogConfig.Level.INFO, true));

    assertThat(lines).hasSize(3);
    ObjectMapper mapper = new ObjectMapper();
    for (String line : lines) {
      JsonNode node = mapper.readTree(line);
      assertThat(OffsetDateTime.parse(node.get("time").asText())).isNotNull();
      assertThat(node.get("level").asText()).isIn("INFO", "ERROR");
    }
    JsonNode error = find(lines, mapper, "io.s3rdma.server.http.X");
    assertThat(error.get("message").asText()).isEqualTo("a \"quoted\"\nline");
    assertThat(error.get("request").asText()).isEqualTo("ID1");
    assertThat(error.get("error").asText()).contains("IllegalStateException: deliberate", "at ");
    JsonNode access = find(lines, mapper, "io.s3rdma.server.access");
    assertThat(access.get("status").asInt()).isEqualTo(200);
    assertThat(access.get("path").asText()).isEqualTo("/b/k");
  }

  @Test
  void shouldBePairsWhenAccessLineIsText() {
    List<String> lines = lines(new LogConfig(LogConfig.Format.TEXT, LogConfig.Level.INFO, true));

    String access = lines.stream().filter(l -> l.contains(" access ")).findFirst().orElseThrow();
    assertThat(OffsetDateTime.parse(access.substring(0, access.indexOf(' ')))).isNotNull();
    Matcher pairs = PAIR.matcher(access);
    assertThat(pairs.results().map(p -> p.group(1) + ":" + p.group(2)))
        .containsExactly("path:/b/k", "status:200");
    assertThat(lines).anyMatch(l -> l.contains(" ID1 a \"quoted\""));
    assertThat(lines).anyMatch(l -> l.endsWith(" - plain"));
  }

  @Test
  void shouldBeSilentWhenLevelsSaySo() {
    assertThat(lines(new LogConfig(LogConfig.Format.JSON, LogConfig.Level.ERROR, false)))
        .hasSize(1);
  }

  private List<String> lines(LogConfig config) {
    context.setMDCAdapter(MDC.getMDCAdapter());
    Logging.configure(context, config, out);
    try (var _ = MDC.putCloseable("request", "ID1")) {
      Logger logger = context.getLogger("io.s3rdma.server.http.X");
      logger.error("a \"quoted\"\nline", new IllegalStateException("deliberate"));
    }
    context.getLogger("io.s3rdma.server.Y").info("plain");
    context.getLogger("io.s3rdma.server.Y").debug("too little");
    context
        .getLogger("io.s3rdma.server.access")
        .atInfo()
        .addKeyValue("path", "/b/k")
        .addKeyValue("status", 200)
        .log("");
    context.stop();
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static JsonNode find(List<String> lines, ObjectMapper mapper, String logger)
      throws Exception {
    for (String line : lines) {
      JsonNode node = mapper.readTree(line);
      if (node.get("logger").asText().equals(logger)) {
        return node;
      }
    }
    throw new AssertionError("no line of " + logger);
  }
}
