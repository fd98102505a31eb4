package io.s3rdma.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documentation names as held by a test is held by a test of that name. */
class CompatibilityPageTest {
  private static final Pattern REFERENCE = Pattern.compile("`(\\w+(?:Test|IT))#(\\w+)`");
  private static final Pattern FAULT = Pattern.compile("(?m)^\\| ([0-9]+) \\|.*$");
  private static final int FAULTS = 48;

  @Test
  void shouldFindEveryTestThatIsNamed() throws IOException {
    Map<String, List<String>> tests = tests();
    List<String> missing = new ArrayList<>();
    int found = 0;
    for (Path page : files("docs", ".md")) {
      for (MatchResult named : REFERENCE.matcher(Files.readString(page)).results().toList()) {
        // A rule of ArchUnit is a field.
        Pattern declared = Pattern.compile(" (void %1$s\\(|%1$s =)".formatted(named.group(2)));
        if (tests.getOrDefault(named.group(1), List.of()).stream()
            .noneMatch(source -> declared.matcher(source).find())) {
          missing.add(root().relativize(page) + ": " + named.group());
        }
        found++;
      }
    }
    assertThat(missing).as("tests that a page names and nobody wrote").isEmpty();
    assertThat(found).as("nothing was looked at").isGreaterThan(FAULTS);
  }

  /** Each of the reported faults has its row, with a test or with a decision and its reason. */
  @Test
  void shouldSettleEveryReportedFault() throws IOException {
    String page = Files.readString(root().resolve("docs/s3-compatibility.md"));
    List<Integer> numbers = new ArrayList<>();
    for (MatchResult row : FAULT.matcher(page).results().toList()) {
      numbers.add(Integer.parseInt(row.group(1)));
      assertThat(row.group())
          .matches(text -> REFERENCE.matcher(text).find() || text.contains("decided:"));
    }
    assertThat(numbers).isEqualTo(IntStream.rangeClosed(1, FAULTS).boxed().toList());
  }

  /** Sources by the name of their class, which may be there in several packages. */
  private static Map<String, List<String>> tests() throws IOException {
    Map<String, List<String>> tests = new HashMap<>();
    try (Stream<Path> modules = Files.list(root())) {
      for (Path module : modules.filter(m -> Files.isDirectory(m.resolve("src/test"))).toList()) {
        for (Path file : files(root().relativize(module) + "/src/test", ".java")) {
          String name = file.getFileName().toString().replace(".java", "");
          tests.computeIfAbsent(name, n -> new ArrayList<>()).add(Files.readString(file));
        }
      }
    }
    return tests;
  }

  private static List<Path> files(String folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(root().resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList();
    }
  }

  private static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.isDirectory(here.resolve("bench")) ? here : here.getParent();
  }
}
