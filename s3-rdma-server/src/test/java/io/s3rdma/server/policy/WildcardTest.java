package io.s3rdma.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.Fuzz;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Stars and question marks. */
final class WildcardTest {
  @ParameterizedTest
  @CsvSource({
    "'', '', true",
    "'', a, false",
    "*, '', true",
    "*, a/b/c, true",
    "***, '', true",
    "?, '', false",
    "?, a, true",
    "?, ab, false",
    "?, \uD83D\uDE00, true",
    "a, a, true",
    "a, A, false",
    "a, ab, false",
    "a*, a, true",
    "a*, abc, true",
    "a*, ba, false",
    "a**, ab, true",
    "*a, ba, true",
    "*a, ab, false",
    "a*c, ac, true",
    "a*c, abcbc, true",
    "a*c, abcb, false",
    "b/*/c, b/x/y/c, true",
    "b/*/c, b/c, false",
    "*b?d*, abcde, true",
    "*b?d*, abde, false",
    "a?*, a, false",
    "a?*, ab, true",
    "**?**, '', false",
    "[a], a, false",
    "[a], [a], true",
    "a.c, abc, false",
  })
  void shouldMatchWhenStarsAndQuestionMarksFit(String pattern, String text, boolean expected) {
    assertThat(Wildcard.of(pattern).matches(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "b/*, b/, true",
    "b*, b/, true",
    "*, b/, true",
    "*x, b/, true",
    "c/*, b/, false",
    "b, b/, false",
    "bb*, b/, false",
    "b?x, b/, true",
  })
  void shouldTellWhetherSomethingThatBeginsSoCouldMatch(
      String pattern, String beginning, boolean expected) {
    assertThat(Wildcard.of(pattern).matchesBeginning(beginning)).isEqualTo(expected);
  }

  @Test
  void shouldDecideAsTheDefinitionDoesWhenPatternIsAnything() {
    Fuzz.run(
        "wildcards",
        20_000,
        random -> {
          String pattern = text(random, "ab*?/", random.nextInt(random.nextInt(10) == 0 ? 200 : 9));
          String text = text(random, "ab/", random.nextInt(random.nextInt(10) == 0 ? 300 : 9));
          assertThat(Wildcard.of(pattern).matches(text))
              .as("%s on %s", pattern, text)
              .isEqualTo(byDefinition(pattern, text));
        });
  }

  private static String text(SplittableRandom random, String alphabet, int length) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(alphabet.charAt(random.nextInt(alphabet.length())));
    }
    return text.toString();
  }

  /** Cell by cell: whether the first i of the pattern match the first j of the text. */
  private static boolean byDefinition(String pattern, String text) {
    boolean[][] matches = new boolean[pattern.length() + 1][text.length() + 1];
    matches[0][0] = true;
    for (int i = 1; i <= pattern.length(); i++) {
      char c = pattern.charAt(i - 1);
      for (int j = 0; j <= text.length(); j++) {
        matches[i][j] =
            c == '*'
                ? matches[i - 1][j] || (j > 0 && matches[i][j - 1])
                : j > 0 && matches[i - 1][j - 1] && (c == '?' || c == text.charAt(j - 1));
      }
    }
    return matches[pattern.length()][text.length()];
  }
}
