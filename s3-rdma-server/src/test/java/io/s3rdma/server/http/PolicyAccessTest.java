package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.s3rdma.server.policy.BucketPolicy;
import io.s3rdma.server.policy.MalformedPolicyException;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where rights of keys, a bucket's policy and ACLs meet: the table of decision 0021. */
final class PolicyAccessTest {
  private static final Account A = new Account("a", "a");
  private static final Account B = new Account("b", "b");
  private static final Instant NOW = Instant.parse("2030-06-01T00:00:00Z");
  private static final Grant READ = new Grant("*", "", Set.of(Right.READ));
  private static final Map<String, Identity> CALLERS =
      Map.of(
          "root", identity("ROOT", A, Grant.ALL),
          "reader", identity("READER", A, READ),
          "nothing", identity("NOTHING", A),
          "other", identity("OTHER", B, Grant.ALL),
          "other-nothing", identity("OTHERNOTHING", B),
          "anonymous", Identity.ANONYMOUS);

  private final Stored stored = new Stored();
  private final Map<String, String> headers = new HashMap<>();
  private boolean allowAnonymous = true;

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        // policy; ACL of the object; who may GET it
        "; private; root reader",
        "; public-read; root reader other anonymous",
        "Allow '*'; private; root reader nothing other anonymous",
        "Allow {'AWS':'a'}; private; root reader",
        "Allow {'AWS':'arn:aws:iam::a:user/NOTHING'}; private; root reader nothing",
        "Allow {'AWS':'b'}; private; root reader other",
        "Allow {'AWS':'arn:aws:iam::b:user/OTHERNOTHING'}; private; root reader",
        "Deny '*'; public-read; ",
        "Deny {'AWS':'a'}; public-read; other anonymous",
        "Deny {'AWS':'b'}; public-read; root reader anonymous",
        "Deny {'AWS':'arn:aws:iam::a:user/READER'}; private; root",
      })
  void shouldDecideByRightsPolicyAndAcl(String policy, String acl, String allowed)
      throws Exception {
    if (policy != null) {
      String[] parts = policy.split(" ", 2);
      stored.policy = policy(parts[0], parts[1], "s3:GetObject", "*", "");
    }
    stored.labels = Optional.of(new ObjectLabels(acl, Map.of()));

    for (String caller : CALLERS.keySet()) {
      boolean expected = allowed != null && List.of(allowed.split(" ")).contains(caller);
      assertThat(isAllowed(caller, "GET", "/bucket/key")).as(caller).isEqualTo(expected);
    }
  }

  @Test
  void shouldLetNobodyInWithoutSignatureWhenConfigurationDoesNot() throws Exception {
    allowAnonymous = false;
    stored.policy = policy("Allow", "'*'", "s3:GetObject", "*", "");

    assertThat(isAllowed("anonymous", "GET", "/bucket/key")).isFalse();
    assertThat(isAllowed("other", "GET", "/bucket/key")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "s3:GetObject, GET, /bucket/key",
    "s3:GetObject, HEAD, /bucket/key",
    "s3:GetObjectVersion, GET, /bucket/key?versionId=1",
    "s3:GetObjectTagging, GET, /bucket/key?tagging",
    "s3:GetObjectVersionTagging, GET, /bucket/key?tagging&versionId=1",
    "s3:GetObjectAcl, GET, /bucket/key?acl",
    "s3:PutObject, PUT, /bucket/key",
    "s3:PutObject, POST, /bucket/key?uploads",
    "s3:PutObject, PUT, /bucket/key?uploadId=1&partNumber=1",
    "s3:PutObject, POST, /bucket/key?uploadId=1",
    "s3:AbortMultipartUpload, DELETE, /bucket/key?uploadId=1",
    "s3:ListMultipartUploadParts, GET, /bucket/key?uploadId=1",
    "s3:DeleteObject, DELETE, /bucket/key",
    "s3:DeleteObjectVersion, DELETE, /bucket/key?versionId=1",
    "s3:PutObjectTagging, PUT, /bucket/key?tagging",
    "s3:PutObjectAcl, PUT, /bucket/key?acl",
    "s3:ListBucket, GET, /bucket",
    "s3:ListBucket, HEAD, /bucket",
    "s3:ListBucketVersions, GET, /bucket?versions",
    "s3:ListBucketMultipartUploads, GET, /bucket?uploads",
    "s3:GetBucketLocation, GET, /bucket?location",
    "s3:GetBucketCORS, GET, /bucket?cors",
    "s3:GetEncryptionConfiguration, GET, /bucket?encryption",
    "s3:PutEncryptionConfiguration, PUT, /bucket?encryption",
    "s3:PutEncryptionConfiguration, DELETE, /bucket?encryption",
    "s3:PutBucketCORS, DELETE, /bucket?cors",
    "s3:PutLifecycleConfiguration, PUT, /bucket?lifecycle",
    "s3:DeleteBucket, DELETE, /bucket",
    "s3:GetBucketPolicy, GET, /bucket?policy",
    "s3:GetBucketPolicyStatus, GET, /bucket?policyStatus",
  })
  void shouldOpenAndDenyWhatTheActionNames(String action, String method, String target)
      throws Exception {
    stored.policy = policy("Allow", "'*'", action, "*", "");
    assertThat(isAllowed("nothing", method, target)).isTrue();
    assertThat(isAllowed("other", method, target)).isTrue();

    // Of another action says nothing.
    stored.policy = policy("Allow", "'*'", "s3:GetBucketVersioning", "*", "");
    assertThat(isAllowed("nothing", method, target)).isFalse();
    assertThat(isAllowed("other", method, target)).isFalse();
    assertThat(isAllowed("root", method, target)).isTrue();

    boolean lastResort = target.endsWith("?policy");
    stored.policy = policy("Deny", "'*'", action, "*", "");
    assertThat(isAllowed("root", method, target)).isEqualTo(lastResort);
    stored.bindsRoot = true;
    assertThat(isAllowed("root", method, target)).isFalse();
  }

  @Test
  void shouldOpenNothingThatIsNotServed() throws Exception {
    stored.policy = policy("Allow", "'*'", "s3:*", "*", "");

    assertThat(isAllowed("other", "GET", "/bucket?website")).isFalse();
    assertThat(isAllowed("other", "PUT", "/bucket/key?retention")).isFalse();
    assertThat(isAllowed("nothing", "GET", "/bucket/key?torrent")).isFalse();
    assertThat(isAllowed("root", "GET", "/bucket?website")).isTrue();
  }

  @Test
  void shouldNeedBothActionsWhenAnOperationIsTwo() throws Exception {
    stored.policy = policy("Allow", "'*'", "s3:GetObjectAttributes", "*", "");
    assertThat(isAllowed("other", "GET", "/bucket/key?attributes")).isFalse();
    stored.policy = policy("Allow", "'*'", "s3:GetObject*", "*", "");
    assertThat(isAllowed("other", "GET", "/bucket/key?attributes")).isTrue();

    stored.policy = policy("Allow", "'*'", "s3:PutObject", "*", "");
    headers.put("x-amz-tagging", "a=b");
    assertThat(isAllowed("other", "PUT", "/bucket/key")).isFalse();
    assertThat(isAllowed("root", "PUT", "/bucket/key")).isTrue();
    stored.policy = policy("Allow", "'*'", "s3:PutObject*", "*", "");
    assertThat(isAllowed("other", "PUT", "/bucket/key")).isTrue();
    stored.policy = policy("Deny", "'*'", "s3:PutObjectAcl", "*", "");
    assertThat(isAllowed("root", "PUT", "/bucket/key")).isTrue();
    headers.put("x-amz-acl", "private");
    assertThat(isAllowed("root", "PUT", "/bucket/key")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "'StringEquals':{'s3:prefix':'in/'}; GET; /bucket?prefix=in/; true",
        "'StringEquals':{'s3:prefix':'in/'}; GET; /bucket; false",
        "'StringEquals':{'s3:prefix':'in/'}; HEAD; /bucket; false",
        "'NumericLessThanEquals':{'s3:max-keys':10}; GET; /bucket?max-keys=10; true",
        "'NumericLessThanEquals':{'s3:max-keys':10}; GET; /bucket?max-keys=11; false",
        "'StringEquals':{'s3:delimiter':'/'}; GET; /bucket?versions&delimiter=%2F; true",
        "'StringEquals':{'s3:VersionId':'7'}; GET; /bucket/key?versionId=7; true",
        "'StringEquals':{'s3:VersionId':'7'}; GET; /bucket/key?versionId=8; false",
        "'StringEquals':{'s3:x-amz-acl':'private'}; PUT; /bucket/key; true",
        "'StringEquals':{'s3:x-amz-acl':'public-read'}; PUT; /bucket/key; false",
        "'StringEquals':{'s3:x-amz-copy-source':'src/a b'}; PUT; /bucket/key; true",
        "'StringEquals':{'s3:x-amz-metadata-directive':'COPY'}; PUT; /bucket/key; true",
        "'StringEquals':{'s3:x-amz-storage-class':'GLACIER'}; PUT; /bucket/key; false",
        "'StringEquals':{'s3:x-amz-server-side-encryption':'AES256'}; PUT; /bucket/key; true",
        "'Null':{'s3:x-amz-server-side-encryption-customer-algorithm':'true'}; PUT; /bucket/key; true",
        "'StringEquals':{'s3:RequestObjectTag/x':'y'}; PUT; /bucket/key; true",
        "'StringEquals':{'s3:RequestObjectTag/X':'y'}; PUT; /bucket/key; false",
        "'ForAllValues:StringEquals':{'s3:RequestObjectTagKeys':['x','z']}; PUT; /bucket/key; true",
        "'ForAllValues:StringEquals':{'s3:RequestObjectTagKeys':['z']}; PUT; /bucket/key; false",
        "'IpAddress':{'aws:SourceIp':'10.0.0.0/8'}; GET; /bucket/key; true",
        "'NotIpAddress':{'aws:SourceIp':'10.0.0.0/8'}; GET; /bucket/key; false",
        "'Bool':{'aws:SecureTransport':'false'}; GET; /bucket/key; true",
        "'StringLike':{'aws:UserAgent':'curl/*'}; GET; /bucket/key; true",
        "'StringLike':{'aws:Referer':'http://here/*'}; GET; /bucket/key; true",
        "'DateGreaterThan':{'aws:CurrentTime':'2030-05-31T23:59:59Z'}; GET; /bucket/key; true",
        "'DateLessThan':{'aws:CurrentTime':'2030-05-31T23:59:59Z'}; GET; /bucket/key; false",
        "'NumericGreaterThan':{'aws:EpochTime':'1900000000'}; GET; /bucket/key; true",
        "'StringEquals':{'aws:username':'NOTHING'}; GET; /bucket/key; true",
        "'StringEquals':{'aws:userid':'NOTHING'}; GET; /bucket/key; true",
        "'StringEquals':{'aws:PrincipalAccount':'a'}; GET; /bucket/key; true",
        "'StringEquals':{'aws:PrincipalType':'User'}; GET; /bucket/key; true",
        "'ArnLike':{'aws:PrincipalArn':'arn:aws:iam::a:user/N*'}; GET; /bucket/key; true",
        "'ArnLike':{'aws:PrincipalArn':'arn:aws:iam::a:root'}; GET; /bucket/key; false",
        "'StringEquals':{'aws:ResourceAccount':'a'}; GET; /bucket/key; true",
        "'StringEquals':{'s3:authType':'POST'}; GET; /bucket/key; true",
        "'StringEquals':{'s3:signatureversion':'AWS4-HMAC-SHA256'}; GET; /bucket/key; true",
        "'StringEquals':{'s3:x-amz-content-sha256':'UNSIGNED-PAYLOAD'}; GET; /bucket/key; true",
        "'StringEquals':{'s3:ExistingObjectTag/kept':'yes'}; GET; /bucket/key; true",
        "'StringEquals':{'s3:ExistingObjectTag/kept':'no'}; GET; /bucket/key; false",
        "'StringEquals':{'s3:ExistingObjectTag/other':'yes'}; GET; /bucket/key; false",
      })
  void shouldFindInTheRequestWhatAConditionAsks(
      String condition, String method, String target, boolean expected) throws Exception {
    headers.put("x-amz-tagging", "x=y");
    headers.put("x-amz-acl", "private");
    headers.put("x-amz-copy-source", "/src/a%20b?versionId=1");
    headers.put("x-amz-metadata-directive", "COPY");
    headers.put("x-amz-server-side-encryption", "AES256");
    headers.put("x-amz-content-sha256", "UNSIGNED-PAYLOAD");
    headers.put("user-agent", "curl/8");
    headers.put("referer", "http://here/page");
    stored.labels = Optional.of(new ObjectLabels("", Map.of("kept", "yes")));
    stored.policy = policy("Allow", "'*'", "s3:*", "*", ",'Condition':{" + condition + "}");

    assertThat(isAllowed("nothing", method, target)).isEqualTo(expected);
  }

  /** Its parts and its end do not say again what the upload was begun with. */
  @ParameterizedTest
  @CsvSource({"PUT, /bucket/key?partNumber=1&uploadId=1", "POST, /bucket/key?uploadId=1"})
  void shouldGoOnWithAnUploadWhenItsBeginWasJudged(String method, String target) throws Exception {
    String encrypted = ",'Condition':{'Null':{'s3:x-amz-server-side-encryption':'true'}}";
    stored.policy = policy("Deny", "'*'", "s3:PutObject", "*", encrypted);
    assertThat(isAllowed("root", "POST", "/bucket/key?uploads")).isFalse();
    assertThat(isAllowed("root", method, target)).isTrue();
    // Which operation it is counts, not what else the query has.
    assertThat(isAllowed("root", "POST", "/bucket/key?uploads&uploadId=1&tagging")).isFalse();

    String tagged = ",'Condition':{'StringEquals':{'s3:RequestObjectTag/x':'y'}}";
    stored.policy = policy("Allow", "{'AWS':'b'}", "s3:PutObject", "*", tagged);
    assertThat(isAllowed("other", "POST", "/bucket/key?uploads")).isFalse();
    assertThat(isAllowed("other", method, target)).isTrue();
  }

  @Test
  void shouldTellThatAKeyIsMissingWhenItCouldBeListed() throws Exception {
    stored.labels = Optional.empty();
    String prefix = ",'Condition':{'StringLike':{'s3:prefix':'open/*'}}";
    stored.policy = policy("Allow", "'*'", "s3:ListBucket", "", prefix);

    for (String caller : List.of("other", "anonymous")) {
      assertThat(isAllowed(caller, "HEAD", "/bucket/open/x")).as(caller).isTrue();
      assertThat(isAllowed(caller, "HEAD", "/bucket/closed/x")).as(caller).isFalse();
    }
    assertThat(isAllowed("other-nothing", "HEAD", "/bucket/open/x")).isFalse();
    stored.labels = Optional.of(new ObjectLabels("", Map.of()));
    assertThat(isAllowed("other", "HEAD", "/bucket/open/x")).isFalse();
  }

  @Test
  void shouldDecideAgainByTheTagsThatWereFound() throws Exception {
    String open = ",'Condition':{'StringEquals':{'s3:ExistingObjectTag/open':'yes'}}";
    stored.policy = policy("Allow", "'*'", "s3:GetObject", "*", open);
    stored.labels = Optional.of(new ObjectLabels("", Map.of("open", "yes")));
    Access access = access("other", "GET", "/bucket/key");

    access.confirm("bucket", "key", "", Map.of("open", "yes"));
    access.confirm("bucket", "another", "", Map.of());
    assertThatThrownBy(() -> access.confirm("bucket", "key", "", Map.of()))
        .isInstanceOf(S3Exception.class);
  }

  @Test
  void shouldDecideAgainByTheAclThatWasFound() throws Exception {
    stored.labels = Optional.of(new ObjectLabels("public-read", Map.of()));
    Access access = access("anonymous", "GET", "/bucket/key");

    access.confirm("bucket", "key", "public-read", Map.of());
    assertThatThrownBy(() -> access.confirm("bucket", "key", "", Map.of()))
        .isInstanceOf(S3Exception.class);
  }

  @Test
  void shouldDecideTagsOfABodyWhenItWasRead() throws Exception {
    String named = ",'Condition':{'StringEquals':{'s3:RequestObjectTag/x':'y'}}";
    stored.policy = policy("Allow", "'*'", "s3:PutObjectTagging", "*", named);
    Access access = access("other", "PUT", "/bucket/key?tagging");

    access.confirm("bucket", "key", "", Map.of(), Map.of("x", "y"));
    assertThatThrownBy(() -> access.confirm("bucket", "key", "", Map.of(), Map.of("x", "z")))
        .isInstanceOf(S3Exception.class);
  }

  private boolean isAllowed(String caller, String method, String target) throws IOException {
    try {
      access(caller, method, target);
      return true;
    } catch (S3Exception e) {
      assertThat(e.code()).isEqualTo(S3ErrorCode.ACCESS_DENIED);
      return false;
    }
  }

  private Access access(String caller, String method, String target) throws IOException {
    Headers.Builder all = Headers.builder();
    headers.forEach(all::add);
    InetAddress remote = InetAddress.ofLiteral("10.1.2.3");
    RequestHead head = RequestHead.of(method, target, all.build(), remote, "id");
    Authority authority = new Authority("r", new Credentials(keys()), stored, allowAnonymous);
    Access access = authority.access(CALLERS.get(caller), head, Clock.fixed(NOW, ZoneOffset.UTC));
    AccessRule.require(access, Router.builder().build().route(head), head);
    return access;
  }

  private static List<AccessKey> keys() {
    return CALLERS.values().stream()
        .filter(identity -> !identity.isAnonymous())
        .map(i -> new AccessKey(i.accessKey(), "secret", i.account(), i.grants()))
        .toList();
  }

  private static Identity identity(String key, Account account, Grant... grants) {
    return new Identity(key, account, List.of(grants), Set.of());
  }

  private static BucketPolicy policy(
      String effect, String principal, String action, String key, String more)
      throws MalformedPolicyException {
    String document =
        "{'Statement':{'Effect':'%s','Principal':%s,'Action':'%s','Resource':%s%s}}"
            .formatted(
                effect,
                principal,
                action,
                key.isEmpty()
                    ? "'arn:aws:s3:::bucket'"
                    : "['arn:aws:s3:::bucket','arn:aws:s3:::bucket/" + key + "']",
                more);
    return BucketPolicy.parse(document.replace('\'', '"'), "bucket");
  }

  /** One bucket of account a, with one object. */
  private static final class Stored implements AccessPolicy {
    private BucketPolicy policy = BucketPolicy.NONE;
    private boolean bindsRoot;
    private Optional<ObjectLabels> labels = Optional.of(new ObjectLabels("", Map.of()));

    @Override
    public Optional<String> ownerOf(String bucket) {
      return Optional.of("a");
    }

    @Override
    public BucketPolicy policyOf(String bucket) {
      return policy;
    }

    @Override
    public boolean bindsRoot(String bucket) {
      return bindsRoot;
    }

    @Override
    public Optional<ObjectLabels> labels(String bucket, String key, String versionId) {
      return labels;
    }

    @Override
    public Map<String, String> tags(String header) {
      String[] pair = header.split("=", 2);
      return Map.of(pair[0], pair[1]);
    }
  }
}
