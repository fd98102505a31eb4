package io.s3rdma.server.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which documents are policies here; what could not be kept to is refused, never ignored. */
final class PolicyReaderTest {
  private static final String REST =
      "'Principal':'*','Action':'s3:GetObject','Resource':'arn:aws:s3:::b/*'";
  private static final String GOOD = "{'Effect':'Allow'," + REST + "}";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'Statement':" + GOOD + "}",
        "{'Statement':[" + GOOD + "]}",
        "{'Version':'2008-10-17','Id':'x','Statement':[" + GOOD + "," + GOOD + "]}",
        " {\n'Statement' : [{'Sid':'All of it','Effect':'Deny'," + REST + "}] } ",
        "{'Statement':{'Effect':'Allow',"
            + REST
            + ",'Condition':{'Bool':{'aws:SecureTransport':false},"
            + "'DateLessThan':{'aws:EpochTime':1893456000}}}}",
        // Before variables there were no variables.
        "{'Statement':{'Effect':'Allow','Principal':'*','Action':'s3:GetObject',"
            + "'Resource':'arn:aws:s3:::b/${x}'}}",
      })
  void shouldAcceptWhenItIsAPolicy(String document) throws MalformedPolicyException {
    assertThat(BucketPolicy.parse(json(document), "b").isNone()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "``; a policy is a JSON object",
        "''; a policy is a JSON object",
        "{; not valid JSON",
        "[]; a policy is a JSON object",
        "null; a policy is a JSON object",
        "{}; must be an object",
        "{'Statement':[]}; needs a Statement",
        "{'Statement':" + GOOD + "} {}; not valid JSON",
        "{'Statement':" + GOOD + ",'Statement':" + GOOD + "}; Duplicate field",
        "{'Statement':{'Effect':'Deny','Effect':'Allow'," + REST + "}}; Duplicate field",
        "{'Version':'2012-10-18','Statement':" + GOOD + "}; Version must be",
        "{'Version':2012,'Statement':" + GOOD + "}; Version must be",
        "{'Id':1,'Statement':" + GOOD + "}; Id must be a text",
        "{'ID':'x','Statement':" + GOOD + "}; no element ID",
        "{'statement':" + GOOD + "}; no element statement",
        "{'Statement':{'effect':'Allow'," + REST + "}}; no element effect",
        "{'Statement':{" + REST + "}}; Effect must be",
        "{'Statement':{'Effect':'allow'," + REST + "}}; Effect must be",
        "{'Statement':{'Effect':['Allow']," + REST + "}}; Effect must be",
        "{'Statement':{'Effect':'Allow','Sid':1," + REST + "}}; Sid must be a text",
        "{'Statement':[{'Sid':'x','Effect':'Allow',"
            + REST
            + "},"
            + "{'Sid':'x','Effect':'Allow',"
            + REST
            + "}]}; have the Sid",
        "{'Statement':{'Effect':'Allow','Extra':1," + REST + "}}; no element Extra",
        "{'Statement':{'Effect':'Allow','NotPrincipal':{'AWS':'a'},'Action':'*',"
            + "'Resource':'arn:aws:s3:::b'}}; NotPrincipal is not supported",
        "{'Statement':{'Effect':'Allow','Action':'*','Resource':'arn:aws:s3:::b'}};"
            + "needs Principal",
        "{'Statement':{'Effect':'Allow','NotAction':'s3:*',"
            + REST
            + "}};"
            + "either Action or NotAction",
        "{'Statement':{'Effect':'Allow','Principal':'*','Action':'*'}};"
            + "either Resource or NotResource",
        "{'Statement':[[[[[[[[[]]]]]]]]]}; nesting depth",
      })
  void shouldRefuseWhenItIsNoPolicy(String document, String why) {
    refused(document, why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'a'; Principal must be",
        "{}; Principal must be",
        "[]; Principal must be",
        "{'Service':'cloudfront.amazonaws.com'}; Principal Service is not supported",
        "{'Federated':'x'}; Principal Federated is not supported",
        "{'CanonicalUser':'x'}; Principal CanonicalUser is not supported",
        "{'AWS':[]}; must not be empty",
        "{'AWS':1}; must be a text",
        "{'AWS':'a*'}; is not an account",
        "{'AWS':''}; is not an account",
        "{'AWS':'arn:aws:iam::a:user/*'}; is not an account",
        "{'AWS':'arn:aws:iam::*:root'}; is not an account",
        "{'AWS':'arn:aws:iam::a:role/x'}; is not an account",
        "{'AWS':'arn:aws:sts::a:assumed-role/x/y'}; is not an account",
      })
  void shouldRefuseWhenPrincipalIsNobodyHere(String principal, String why) {
    refused(
        "{'Statement':{'Effect':'Deny','Principal':"
            + principal
            + ",'Action':'*','Resource':'arn:aws:s3:::b'}}",
        why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'GetObject'; not one of S3",
        "'iam:CreateUser'; not one of S3",
        "'s3:Get Object'; not one of S3",
        "'s3:'; not one of S3",
        "'s3:GetObjekt'; no action s3:GetObjekt",
        "'s3:Foo*'; no action s3:Foo*",
        "['s3:GetObject','s3:PutObjects']; no action s3:PutObjects",
        "[]; must not be empty",
        "true; must be a text",
      })
  void shouldRefuseWhenThereIsNoSuchAction(String action, String why) {
    refused(
        "{'Statement':{'Effect':'Deny','Principal':'*','Action':"
            + action
            + ",'Resource':'arn:aws:s3:::b/*'}}",
        why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "*; is not arn:aws:s3:::BUCKET",
        "b/*; is not arn:aws:s3:::BUCKET",
        "arn:aws:s3:::; is not arn:aws:s3:::BUCKET",
        "arn:aws:sns:::b; is not arn:aws:s3:::BUCKET",
        "arn:aws:s3:::other/*; is not of the bucket b",
        "arn:aws:s3:::bb; is not of the bucket b",
        "arn:aws:s3:::B/*; is not of the bucket b",
        "arn:aws:s3:::b/${aws:username}/*; policy variables are not supported",
      })
  void shouldRefuseWhenResourceIsNotOfTheBucket(String resource, String why) {
    refused(
        "{'Version':'2012-10-17','Statement':{'Effect':'Deny','Principal':'*',"
            + "'Action':'*','Resource':'"
            + resource
            + "'}}",
        why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{}; must be an object that is not empty",
        "{'StringEquals':{}}; must be an object that is not empty",
        "{'StringEquals':'x'}; must be an object that is not empty",
        "{'StringIs':{'aws:Referer':'x'}}; operator StringIs is not known",
        "{'StringEquals':{'aws:SourceVpc':'x'}}; key aws:SourceVpc is not known",
        "{'StringEquals':{'s3:ExistingObjectTag':'x'}}; key s3:ExistingObjectTag is not known",
        "{'StringEquals':{'s3:ExistingObjectTag/':'x'}}; is not known",
        "{'StringEquals':{'aws:Referer':[]}}; must not be empty",
        "{'StringEquals':{'aws:Referer':null}}; must be a text",
        "{'StringEquals':{'aws:Referer':'${aws:username}'}}; policy variables",
        "{'StringEquals':{'aws:referer':'x'},'NumericEquals':{'s3:max-keys':'1'}};"
            + "s3:max-keys applies to no action",
        "{'StringEquals':{'s3:x-amz-acl':'private'}}; s3:x-amz-acl applies to no action",
      })
  void shouldRefuseWhenConditionCouldNotBeKeptTo(String condition, String why) {
    refused(
        "{'Version':'2012-10-17','Statement':{'Effect':'Deny',"
            + REST
            + ",'Condition':"
            + condition
            + "}}",
        why);
  }

  @Test
  void shouldRefuseTagsOfTheObjectWhenTheActionDoesNotLookAtThem() {
    refused(
        "{'Statement':{'Effect':'Deny','Principal':'*','Action':'s3:DeleteObject',"
            + "'Resource':'arn:aws:s3:::b/*',"
            + "'Condition':{'StringEquals':{'s3:ExistingObjectTag/keep':'yes'}}}}",
        "s3:ExistingObjectTag/keep applies to no action");
  }

  private static void refused(String document, String why) {
    assertThatThrownBy(() -> BucketPolicy.parse(json(document), "b"))
        .isInstanceOf(MalformedPolicyException.class)
        .hasMessageContaining(why);
  }

  private static String json(String document) {
    return document.replace('\'', '"');
  }
}
