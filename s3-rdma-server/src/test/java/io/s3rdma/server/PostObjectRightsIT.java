package io.s3rdma.server;

import static io.s3rdma.server.PostObjectIT.ANY_KEY;
import static io.s3rdma.server.PostObjectIT.BUCKET;
import static io.s3rdma.server.PostObjectIT.soon;
import static io.s3rdma.server.RawCalls.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import io.s3rdma.server.http.TestForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may upload by a form: what was signed, whose key it is, what an ACL opens, what fits. */
class PostObjectRightsIT {
  private static final String WRITER = "WRITER";
  private static final String WRITER_SECRET = "writer/secret+of=a-test";
  private static final String ANY = BUCKET + "," + ANY_KEY;

  @TempDir static Path directory;
  private static TestServer server;
  private RawCalls calls;
  private RawClient browser;

  @BeforeAll
  static void start() throws IOException {
    Path keys = directory.resolve("keys.conf");
    Files.writeString(
        keys,
        "keys = [ { access-key = \""
            + WRITER
            + "\", secret-key = \""
            + WRITER_SECRET
            + "\", account = s3rdma, rights = [ { bucket = forms, prefix = \"out/\","
            + " allow = [write] } ] } ]");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    server =
        TestServer.start(
            directory.resolve("data"),
            Map.of(
                "auth.keys-file",
                keys.toString(),
                "auth.allow-anonymous",
                true,
                "store.bucket-bytes-max",
                100_000));
    try (RawCalls calls = new RawCalls(server)) {
      assertThat(calls.send("PUT", "/forms", "").status()).isEqualTo(200);
      assertThat(calls.send("PUT", "/open", "", "x-amz-acl", "public-read-write").status())
          .isEqualTo(200);
      assertThat(calls.send("PUT", "/seen", "", "x-amz-acl", "public-read").status())
          .isEqualTo(200);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void open() throws IOException {
    calls = new RawCalls(server);
    browser = new RawClient(server.port(), "", "");
  }

  @AfterEach
  void close() throws IOException {
    calls.close();
    browser.close();
  }

  private static TestForm key(String key) {
    return new TestForm().field("key", key);
  }

  private Answer post(TestForm form, String bucket) throws IOException {
    return form.file("f", "content").post(browser, "/" + bucket);
  }

  private void assertStored(Answer answer, String path) throws IOException {
    assertThat(answer.status()).isEqualTo(204);
    assertThat(calls.call("GET", path).body()).isEqualTo("content");
  }

  private void assertRefused(Answer answer, int status, String code, String path)
      throws IOException {
    assertThat(code(answer)).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(calls.call("GET", path).status()).isEqualTo(404);
  }

  @Test
  void shouldHoldToTheRightsOfTheKeyWhenFormIsSigned() throws IOException {
    Answer in = post(key("out/a").signV4(WRITER, WRITER_SECRET, soon(), ANY), "forms");
    Answer out = post(key("in/a").signV4(WRITER, WRITER_SECRET, soon(), ANY), "forms");
    Answer named = post(key("${filename}").signV4(WRITER, WRITER_SECRET, soon(), ANY), "forms");

    assertStored(in, "/forms/out/a");
    assertRefused(out, 403, "AccessDenied", "/forms/in/a");
    assertRefused(named, 403, "AccessDenied", "/forms/f");
  }

  @Test
  void shouldRefuseWhenSignatureIsNotTheKeys() throws IOException {
    String secret = TestServer.SECRET_KEY;
    Answer wrongV4 = post(key("s").signV4(TestServer.ACCESS_KEY, "other", soon(), ANY), "forms");
    Answer wrongV2 = post(key("s").signV2(TestServer.ACCESS_KEY, "other", soon(), ANY), "forms");
    Answer unknownV4 = post(key("s").signV4("NOBODY", secret, soon(), ANY), "forms");
    Answer unknownV2 = post(key("s").signV2("NOBODY", secret, soon(), ANY), "forms");

    assertRefused(wrongV4, 403, "SignatureDoesNotMatch", "/forms/s");
    assertRefused(wrongV2, 403, "SignatureDoesNotMatch", "/forms/s");
    assertRefused(unknownV4, 403, "InvalidAccessKeyId", "/forms/s");
    assertRefused(unknownV2, 403, "InvalidAccessKeyId", "/forms/s");
  }

  @ParameterizedTest
  @CsvSource({
    "policy=e30=, InvalidArgument",
    "policy=e30=&AWSAccessKeyId=AKIDTEST, InvalidArgument",
    "AWSAccessKeyId=AKIDTEST&signature=x, InvalidArgument",
    "signature=x&x-amz-signature=x&policy=e30=, InvalidArgument",
    "policy=e30=&x-amz-signature=x, InvalidArgument",
    "policy=e30=&x-amz-algorithm=AWS4-HMAC-SHA1&x-amz-signature=x, InvalidArgument",
    "policy=e30=&x-amz-algorithm=AWS4-HMAC-SHA256&x-amz-credential=a/b&x-amz-date=c"
        + "&x-amz-signature=x, InvalidArgument",
    "policy=e30=&x-amz-algorithm=AWS4-HMAC-SHA256&x-amz-signature=x&x-amz-date=20260101T000000Z"
        + "&x-amz-credential=AKIDTEST/20260101/eu-west-1/s3/aws4_request, InvalidArgument",
    "policy=e30=&x-amz-algorithm=AWS4-HMAC-SHA256&x-amz-signature=x&x-amz-date=now"
        + "&x-amz-credential=AKIDTEST/20260101/us-east-1/s3/aws4_request, InvalidArgument",
  })
  void shouldRefuseWhenSignatureIsIncomplete(String fields, String code) throws IOException {
    TestForm form = key("incomplete");
    for (String field : fields.split("&", -1)) {
      String[] parts = field.split("=", 2);
      form.field(parts[0], parts[1]);
    }

    assertRefused(post(form, "open"), 400, code, "/open/incomplete");
  }

  @Test
  void shouldRefuseWhenSignedForAnotherTime() throws IOException {
    Instant now = Instant.now();
    Instant early = now.plus(Duration.ofMinutes(20));
    Instant late = now.minus(Duration.ofDays(7).plusMinutes(1));
    for (Instant time : new Instant[] {early, late}) {
      TestForm form = key("time");
      form.signV4(TestServer.ACCESS_KEY, TestServer.SECRET_KEY, time, soon(), ANY);
      assertRefused(post(form, "forms"), 403, "AccessDenied", "/forms/time");
    }
    String past = now.minusSeconds(1).toString();
    Answer v4 =
        post(key("time").signV4(TestServer.ACCESS_KEY, TestServer.SECRET_KEY, past, ANY), "forms");
    Answer v2 =
        post(key("time").signV2(TestServer.ACCESS_KEY, TestServer.SECRET_KEY, past, ANY), "forms");
    assertRefused(v4, 403, "AccessDenied", "/forms/time");
    assertRefused(v2, 403, "AccessDenied", "/forms/time");
  }

  @Test
  void shouldRefuseWhenPolicyIsForAnotherBucketOrField() throws IOException {
    String id = TestServer.ACCESS_KEY;
    String secret = TestServer.SECRET_KEY;
    Answer bucket = post(key("p").signV4(id, secret, soon(), ANY), "open");
    Answer repeated =
        post(key("p").field("bucket", "forms").signV4(id, secret, soon(), ANY), "open");
    Answer field =
        post(key("p").field("acl", "public-read").signV4(id, secret, soon(), ANY), "forms");
    Answer policy = post(key("p").signV4(id, secret, soon(), ANY + ",{}"), "forms");

    assertRefused(bucket, 403, "AccessDenied", "/open/p");
    assertRefused(repeated, 403, "AccessDenied", "/open/p");
    assertRefused(field, 403, "AccessDenied", "/forms/p");
    assertRefused(policy, 400, "InvalidPolicyDocument", "/forms/p");
  }

  @Test
  void shouldFollowTheAclWhenFormIsNotSigned() throws IOException {
    assertStored(post(key("a").field("acl", "public-read"), "open"), "/open/a");
    assertRefused(post(key("a"), "seen"), 403, "AccessDenied", "/seen/a");
    assertRefused(post(key("a"), "forms"), 403, "AccessDenied", "/forms/a");
    Answer elsewhere = post(key("b").field("bucket", "forms"), "open");
    assertRefused(elsewhere, 400, "InvalidArgument", "/open/b");
    assertRefused(post(key("a"), "no-such-bucket"), 404, "NoSuchBucket", "/no-such-bucket/a");
  }

  /** A form is judged as the PUT that it stands for, by its fields. */
  @Test
  void shouldHoldToTheBucketsPolicyWhenThereIsOne() throws IOException {
    String policy =
        """
        {"Statement":[{"Effect":"Allow","Principal":"*","Action":["s3:PutObject","s3:PutObjectAcl"],
          "Resource":"arn:aws:s3:::policed/in/*",
          "Condition":{"StringEquals":{"s3:x-amz-acl":"private"}}},
         {"Effect":"Deny","Principal":"*","Action":"s3:PutObject","Resource":"arn:aws:s3:::policed/no/*"}]}
        """;
    assertThat(calls.send("PUT", "/policed", "").status()).isEqualTo(200);
    assertThat(calls.send("PUT", "/policed?policy", policy).status()).isEqualTo(204);
    TestForm denied = key("no/a").signV4(TestServer.ACCESS_KEY, TestServer.SECRET_KEY, soon(), ANY);

    assertStored(post(key("in/a").field("acl", "private"), "policed"), "/policed/in/a");
    assertRefused(post(key("in/b"), "policed"), 403, "AccessDenied", "/policed/in/b");
    assertRefused(post(denied, "policed"), 403, "AccessDenied", "/policed/no/a");
  }

  @Test
  void shouldRefuseWhenBucketIsFull() throws IOException {
    TestForm form = key("full").signV4(TestServer.ACCESS_KEY, TestServer.SECRET_KEY, soon(), ANY);
    Answer answer = form.file("f", "x".repeat(100_001)).post(browser, "/forms");

    assertRefused(answer, 403, "QuotaExceeded", "/forms/full");
  }

  @Test
  void shouldRefuseWhatTheConfigurationTurnsOff() throws IOException {
    Map<String, Object> settings = Map.of("auth.form-signature-v2", false);
    try (TestServer strict = TestServer.start(directory.resolve("strict"), settings);
        RawCalls own = new RawCalls(strict);
        RawClient client = new RawClient(strict.port(), "", "")) {
      own.send("PUT", "/forms", "", "x-amz-acl", "public-read-write");
      String id = TestServer.ACCESS_KEY;
      String secret = TestServer.SECRET_KEY;
      Answer v2 = key("a").signV2(id, secret, soon(), ANY).file("f", "c").post(client, "/forms");
      Answer unsigned = key("a").file("f", "c").post(client, "/forms");
      Answer v4 = key("b").signV4(id, secret, soon(), ANY).file("f", "c").post(client, "/forms");

      assertThat(code(v2)).isEqualTo("InvalidRequest");
      assertThat(element(v2)).contains("auth.form-signature-v2");
      assertThat(code(unsigned)).isEqualTo("AccessDenied");
      assertThat(element(unsigned)).isEqualTo("the form is not signed");
      assertThat(v4.status()).isEqualTo(204);
      assertThat(own.call("GET", "/forms/a").status()).isEqualTo(404);
    }
  }

  private static String element(Answer answer) {
    return RawCalls.element(answer, "Message");
  }
}
