package io.s3rdma.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.Fuzz;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Policies of clients: only a refusal escapes, nothing hangs, and a denial always wins. */
final class PolicyFuzzTest {
  private static final List<PolicyAction> ACTIONS = List.of(PolicyAction.values());
  private static final int ROUNDS = 5_000;
  private static final String GOOD =
      """
      {"Version":"2012-10-17","Id":"one","Statement":[
        {"Sid":"1","Effect":"Allow","Principal":{"AWS":["a","arn:aws:iam::b:user/KEY"]},
         "Action":["s3:GetObject*","s3:ListBucket"],"Resource":["arn:aws:s3:::b","arn:aws:s3:::b/*"],
         "Condition":{"IpAddress":{"aws:SourceIp":["10.0.0.0/8","::1"]},
           "ForAnyValue:StringLikeIfExists":{"aws:UserAgent":"a*b?c"},
           "NumericLessThan":{"s3:max-keys":100},"Null":{"aws:Referer":true}}},
        {"Effect":"Deny","Principal":"*","NotAction":"s3:Put*","NotResource":"arn:aws:s3:::b/x/*",
         "Condition":{"DateGreaterThan":{"aws:CurrentTime":"2030-01-01T00:00:00Z"}}}]}
      """;
  private static final String[] WORDS = {
    "\"",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "*",
    "?",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "-1e99999",
    "\"Statement\":",
    "\"Effect\":\"Deny\",",
    "\"Principal\":",
    "{\"AWS\":\"*\"}",
    "s3:",
    "${",
    "arn:aws:s3:::",
    "aws:",
    "ForAllValues:",
    "IfExists",
    "[[[[[[[[[[[[[[[[",
    "\uFEFF",
    "\u00e9"
  };
  private static final String[] VALUES = {"", "a", "10.0.0.1", "::1", "true", "7", "2031-01-01"};

  @Test
  void shouldOnlyRefuseWhenDocumentIsAnything() {
    Fuzz.run(
        "bucket policies",
        ROUNDS,
        random -> {
          String document = mutated(random);
          BucketPolicy policy;
          try {
            policy = BucketPolicy.parse(document, "b");
          } catch (MalformedPolicyException e) {
            assertThat(e.getMessage()).isNotEmpty();
            return;
          }
          policy.isPublic();
          assertThat(policy.judge(question(random))).isNotNull();
        });
  }

  @Test
  void shouldDenyWhenAnyStatementDenies() {
    Fuzz.run(
        "denials",
        ROUNDS,
        random -> {
          List<String> statements = new ArrayList<>();
          int count = 1 + random.nextInt(5);
          for (int i = 0; i < count; i++) {
            statements.add(statement(random));
          }
          Question question = question(random);
          boolean denied = false;
          boolean allowed = false;
          for (String one : statements) {
            Verdict verdict = policy(List.of(one)).judge(question);
            denied |= verdict == Verdict.DENIED;
            allowed |= verdict == Verdict.ALLOWED;
          }
          Verdict together = policy(statements).judge(question);
          assertThat(together == Verdict.DENIED).as("%s", statements).isEqualTo(denied);
          assertThat(together == Verdict.ALLOWED)
              .as("%s", statements)
              .isEqualTo(allowed && !denied);
        });
  }

  private static BucketPolicy policy(List<String> statements) throws MalformedPolicyException {
    return BucketPolicy.parse("{\"Statement\":[" + String.join(",", statements) + "]}");
  }

  private static String statement(SplittableRandom random) {
    return "{\"Effect\":\"%s\",\"Principal\":%s,\"Action\":\"%s\",\"Resource\":\"%s\"}"
        .formatted(
            of(random, "Allow", "Allow", "Deny"),
            of(random, "\"*\"", "{\"AWS\":\"a\"}", "{\"AWS\":\"arn:aws:iam::a:user/KEY\"}"),
            of(random, "*", "s3:GetObject", "s3:Put*", "s3:*Object"),
            of(random, "arn:aws:s3:::*", "arn:aws:s3:::b", "arn:aws:s3:::b/*", "arn:aws:s3:::b/k"));
  }

  private static Question question(SplittableRandom random) {
    Caller caller =
        switch (random.nextInt(4)) {
          case 0 -> Caller.ANONYMOUS;
          case 1 -> new Caller("a", "");
          case 2 -> new Caller("a", "KEY");
          default -> new Caller("c", "");
        };
    PolicyAction action = ACTIONS.get(random.nextInt(ACTIONS.size()));
    List<String> values = random.nextBoolean() ? List.of() : List.of(of(random, VALUES));
    // An address is one, wherever it comes from.
    RequestValues request =
        key -> key.kind() == ConditionKey.Kind.SOURCE_IP ? List.of("10.0.0.1") : values;
    return new Question(caller, action, "b", of(random, "", "k", "x/y"), request);
  }

  private static String of(SplittableRandom random, String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static String mutated(SplittableRandom random) {
    StringBuilder text = new StringBuilder(GOOD);
    int edits = 1 + random.nextInt(4);
    for (int i = 0; i < edits; i++) {
      int from = random.nextInt(text.length());
      int to = Math.min(text.length(), from + random.nextInt(12));
      text.replace(from, to, random.nextBoolean() ? "" : of(random, WORDS));
    }
    return text.toString();
  }
}
