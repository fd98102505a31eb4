package io.s3rdma.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a policy says to a question. */
final class BucketPolicyTest {
  private static final Caller ROOT_A = new Caller("a", "");
  private static final Caller USER_A = new Caller("a", "KEY1");
  private static final Caller OTHER_USER_A = new Caller("a", "KEY2");

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'*'; ALLOWED; ALLOWED; ALLOWED; ALLOWED; ALLOWED",
        "{'AWS':'*'}; ALLOWED; ALLOWED; ALLOWED; ALLOWED; ALLOWED",
        "{'AWS':'a'}; ALLOWED; ALLOWED_TO_ACCOUNT; ALLOWED_TO_ACCOUNT; SILENT; SILENT",
        "{'AWS':'arn:aws:iam::a:root'};"
            + "ALLOWED; ALLOWED_TO_ACCOUNT; ALLOWED_TO_ACCOUNT; SILENT; SILENT",
        "{'AWS':'arn:aws:iam::a:user/KEY1'}; SILENT; ALLOWED; SILENT; SILENT; SILENT",
        "{'AWS':['b','arn:aws:iam::a:user/KEY1']}; SILENT; ALLOWED; SILENT; ALLOWED; SILENT",
        "{'AWS':['a','arn:aws:iam::a:user/KEY1']};"
            + "ALLOWED; ALLOWED; ALLOWED_TO_ACCOUNT; SILENT; SILENT",
      })
  void shouldAllowWhomThePrincipalNames(
      String principal, Verdict root, Verdict user, Verdict other, Verdict b, Verdict anonymous)
      throws MalformedPolicyException {
    BucketPolicy policy = policy(statement("Allow", principal, "s3:GetObject", "b/*", ""));

    assertThat(get(policy, ROOT_A)).isEqualTo(root);
    assertThat(get(policy, USER_A)).isEqualTo(user);
    assertThat(get(policy, OTHER_USER_A)).isEqualTo(other);
    assertThat(get(policy, new Caller("b", ""))).isEqualTo(b);
    assertThat(get(policy, Caller.ANONYMOUS)).isEqualTo(anonymous);
  }

  @Test
  void shouldDenyAllKeysOfAnAccountWhenItIsNamed() throws MalformedPolicyException {
    BucketPolicy policy = policy(statement("Deny", "{'AWS':'a'}", "s3:*", "b/*", ""));

    assertThat(get(policy, ROOT_A)).isEqualTo(Verdict.DENIED);
    assertThat(get(policy, USER_A)).isEqualTo(Verdict.DENIED);
    assertThat(get(policy, new Caller("b", "KEY1"))).isEqualTo(Verdict.SILENT);
  }

  @Test
  void shouldDenyWhateverIsAllowedWhenOneStatementDenies() throws MalformedPolicyException {
    String allow = statement("Allow", "'*'", "s3:*", "b/*", "");
    String deny = statement("Deny", "{'AWS':'a'}", "s3:GetObject", "b/secret/*", "");

    for (BucketPolicy policy : List.of(policy(allow, deny), policy(deny, allow))) {
      assertThat(ask(policy, ROOT_A, PolicyAction.GET_OBJECT, "secret/x"))
          .isEqualTo(Verdict.DENIED);
      assertThat(ask(policy, ROOT_A, PolicyAction.GET_OBJECT, "open/x")).isEqualTo(Verdict.ALLOWED);
      assertThat(ask(policy, ROOT_A, PolicyAction.PUT_OBJECT, "secret/x"))
          .isEqualTo(Verdict.ALLOWED);
      assertThat(ask(policy, Caller.ANONYMOUS, PolicyAction.GET_OBJECT, "secret/x"))
          .isEqualTo(Verdict.ALLOWED);
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "'Action':'s3:GetObject', GET_OBJECT, true",
        "'Action':'S3:getobject', GET_OBJECT, true",
        "'Action':'s3:GetObject', GET_OBJECT_VERSION, false",
        "'Action':'s3:GetObject*', GET_OBJECT_VERSION, true",
        "'Action':'s3:Get?bject', GET_OBJECT, true",
        "'Action':'*', DELETE_BUCKET, true",
        "'Action':'s3:*', DELETE_BUCKET, true",
        "'Action':'s3:GetBucketWebsite', GET_OBJECT, false",
        "'NotAction':'s3:Delete*', DELETE_OBJECT, false",
        "'NotAction':'s3:Delete*', PUT_OBJECT, true",
        "'NotAction':'s3:GetBucketWebsite', PUT_OBJECT, true",
      })
  void shouldMeanTheActionsThatAreNamed(String element, PolicyAction action, boolean expected)
      throws MalformedPolicyException {
    BucketPolicy policy =
        policy("{'Effect':'Allow','Principal':'*'," + element + ",'Resource':'arn:aws:s3:::*'}");

    assertThat(ask(policy, ROOT_A, action, "key") == Verdict.ALLOWED).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "Resource, b, '', true",
    "Resource, b, key, false",
    "Resource, b/*, '', false",
    "Resource, b/*, key, true",
    "Resource, b*, key, true",
    "Resource, *, key, true",
    "Resource, */*, '', false",
    "Resource, */*, key, true",
    "Resource, b/a/?, a/b, true",
    "Resource, b/a/?, a/bc, false",
    "NotResource, b/a/*, a/b, false",
    "NotResource, b/a/*, c, true",
    "NotResource, b/a/*, '', true",
  })
  void shouldMeanTheResourcesThatAreNamed(String element, String arn, String key, boolean expected)
      throws MalformedPolicyException {
    BucketPolicy policy =
        policy(
            "{'Effect':'Allow','Principal':'*','Action':'*','%s':'arn:aws:s3:::%s'}"
                .formatted(element, arn));

    assertThat(ask(policy, ROOT_A, PolicyAction.LIST_BUCKET, key) == Verdict.ALLOWED)
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "Allow, a, 1, ALLOWED",
    "Allow, b, 1, SILENT",
    "Allow, a, 2, SILENT",
    "Deny, a, 1, DENIED",
    "Deny, b, 1, SILENT",
    "Deny, a, 2, SILENT",
  })
  void shouldNeedAllConditionsWhenThereAreSeveral(
      String effect, String agent, String referer, Verdict expected)
      throws MalformedPolicyException {
    String conditions =
        ",'Condition':{'StringEquals':{'aws:UserAgent':'a','AWS:REFERER':['1','3']}}";
    BucketPolicy policy = policy(statement(effect, "'*'", "s3:*", "b/*", conditions));
    Map<ConditionKey.Kind, String> values =
        Map.of(ConditionKey.Kind.USER_AGENT, agent, ConditionKey.Kind.REFERER, referer);

    assertThat(
            policy.judge(
                new Question(
                    ROOT_A,
                    PolicyAction.GET_OBJECT,
                    "b",
                    "key",
                    key -> List.of(values.get(key.kind())))))
        .isEqualTo(expected);
  }

  /** Then what follows is asked again, or was asked before. */
  @ParameterizedTest
  @CsvSource({"Allow, ALLOWED", "Deny, SILENT"})
  void shouldLetThroughWhenAValueIsUndecided(String effect, Verdict expected)
      throws MalformedPolicyException {
    BucketPolicy policy =
        policy(
            statement(
                effect,
                "'*'",
                "s3:PutObjectTagging",
                "b/*",
                ",'Condition':{'StringEquals':{'s3:RequestObjectTag/x':'y'}}"));
    RequestValues undecided =
        new RequestValues() {
          @Override
          public List<String> of(ConditionKey key) {
            return List.of();
          }

          @Override
          public boolean isUndecided(ConditionKey key) {
            return key.equals(new ConditionKey(ConditionKey.Kind.REQUEST_OBJECT_TAG, "x"));
          }
        };

    assertThat(
            policy.judge(
                new Question(ROOT_A, PolicyAction.PUT_OBJECT_TAGGING, "b", "key", undecided)))
        .isEqualTo(expected);
  }

  @Test
  void shouldSayNothingWhenThereIsNoneAndDenyWhenItIsUnreadable() {
    assertThat(get(BucketPolicy.NONE, ROOT_A)).isEqualTo(Verdict.SILENT);
    assertThat(BucketPolicy.NONE.isNone()).isTrue();
    assertThat(get(BucketPolicy.DENIES_ALL, ROOT_A)).isEqualTo(Verdict.DENIED);
    assertThat(BucketPolicy.DENIES_ALL.isNone()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "Allow; '*'; ; true",
        "Deny; '*'; ; false",
        "Allow; {'AWS':'a'}; ; false",
        "Allow; {'AWS':['a','*']}; ; true",
        "Allow; '*'; 'IpAddress':{'aws:SourceIp':'10.0.0.0/8'}; false",
        "Allow; '*'; 'IpAddress':{'aws:SourceIp':['10.0.0.0/8','0.0.0.0/0']}; true",
        "Allow; '*'; 'IpAddress':{'aws:SourceIp':'128.0.0.0/1'}; true",
        "Allow; '*'; 'IpAddress':{'aws:SourceIp':'2001:db8::/32'}; false",
        "Allow; '*'; 'IpAddress':{'aws:SourceIp':'::/0'}; true",
        "Allow; '*'; 'NotIpAddress':{'aws:SourceIp':'10.0.0.0/8'}; true",
        "Allow; '*'; 'StringEquals':{'aws:PrincipalAccount':'a'}; false",
        "Allow; '*'; 'StringEqualsIfExists':{'aws:PrincipalAccount':'a'}; true",
        "Allow; '*'; 'ForAllValues:StringEquals':{'aws:PrincipalAccount':'a'}; true",
        "Allow; '*'; 'StringLike':{'aws:PrincipalArn':'arn:aws:iam::*:root'}; true",
        "Allow; '*'; 'StringNotEquals':{'aws:PrincipalAccount':'a'}; true",
        "Allow; '*'; 'Null':{'aws:PrincipalAccount':'false'}; true",
        "Allow; '*'; 'StringLike':{'aws:Referer':'http://example.com/'}; true",
      })
  void shouldBePublicWhenItLetsAnybodyIn(
      String effect, String principal, String condition, boolean expected)
      throws MalformedPolicyException {
    String conditions = condition == null ? "" : ",'Condition':{" + condition + "}";

    assertThat(policy(statement(effect, principal, "s3:*", "b/*", conditions)).isPublic())
        .isEqualTo(expected);
  }

  private static Verdict get(BucketPolicy policy, Caller caller) {
    return ask(policy, caller, PolicyAction.GET_OBJECT, "key");
  }

  private static Verdict ask(BucketPolicy policy, Caller caller, PolicyAction action, String key) {
    return policy.judge(new Question(caller, action, "b", key, any -> List.of()));
  }

  private static String statement(
      String effect, String principal, String action, String resource, String more) {
    return "{'Effect':'%s','Principal':%s,'Action':'%s','Resource':'arn:aws:s3:::%s'%s}"
        .formatted(effect, principal, action, resource, more);
  }

  private static BucketPolicy policy(String... statements) throws MalformedPolicyException {
    String document = "{'Version':'2012-10-17','Statement':[" + String.join(",", statements) + "]}";
    return BucketPolicy.parse(document.replace('\'', '"'), "b");
  }
}
