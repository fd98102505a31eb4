package io.s3rdma.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/rdma-known-faults.md tells of every fault, and of tests that are there. */
class KnownFaultsTest {
  private static final int FAULTS = 70;
  private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| (.+) \\| (.+) \\|");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");

  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.isDirectory(here.resolve("bench")) ? here : here.getParent();
  }

  private static List<Matcher> rows() throws IOException {
    return Files.readAllLines(root().resolve("docs/rdma-known-faults.md"), StandardCharsets.UTF_8)
        .stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .toList();
  }

  private static Map<String, Path> tests() throws IOException {
    Map<String, Path> found = new HashMap<>();
    try (Stream<Path> modules = Files.list(root())) {
      for (Path module : modules.toList()) {
        Path folder = module.resolve("src/test/java");
        if (Files.isDirectory(folder)) {
          collect(folder, found);
        }
      }
    }
    return found;
  }

  private static void collect(Path folder, Map<String, Path> into) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(file -> into.put(file.getFileName().toString().replace(".java", ""), file));
    }
  }

  @Test
  void shouldTellOfEveryFaultOnce() throws IOException {
    List<Integer> numbers = rows().stream().map(row -> Integer.valueOf(row.group(1))).toList();
    assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, FAULTS).boxed().toList());
  }

  @Test
  void shouldNameATestOrADecisionOrSayOpen() throws IOException {
    for (Matcher row : rows()) {
      String text = row.group(3);
      assertThat(NAMED.matcher(text).find() || text.matches("(?s).*(decision|open).*"))
          .as("fault " + row.group(1))
          .isTrue();
    }
  }

  @Test
  void shouldNameTestsThatExist() throws IOException {
    Map<String, Path> tests = tests();
    List<String> missing = new ArrayList<>();
    int named = 0;
    for (Matcher row : rows()) {
      Matcher test = NAMED.matcher(row.group(3));
      while (test.find()) {
        named++;
        Path file = tests.get(test.group(1));
        if (file == null || !Files.readString(file).contains("void " + test.group(2) + "(")) {
          missing.add(row.group(1) + ": " + test.group());
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThan(FAULTS);
  }
}
