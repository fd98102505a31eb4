package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page that people read says what the code does. */
final class ConfigurationPageTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z0-9.-]+)` \\| ([^|]*) \\|");

  @Test
  void shouldListEveryKeyWithItsDefault() throws Exception {
    String page = Files.readString(Path.of("../docs/configuration.md"));
    TreeMap<String, String> documented = new TreeMap<>();
    for (MatchResult row : ROW.matcher(page).results().toList()) {
      documented.put(row.group(1), row.group(2).trim());
    }
    Config reference = ConfigFactory.parseResources("reference.conf").getConfig("s3rdma");
    TreeMap<String, String> real = new TreeMap<>();
    reference.entrySet().forEach(e -> real.put(e.getKey(), text(e.getValue().unwrapped())));
    real.put("auth.credentials", "{}");
    real.put("store.bucket-bytes-max-of", "{}");
    assertThat(documented).isEqualTo(real);
  }

  private static String text(Object value) {
    return value.toString().isEmpty() ? "(empty)" : value.toString();
  }
}
