package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.HttpDates;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import io.s3rdma.server.http.RequestSigner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What s3-tests cannot send with a current botocore: every way a signature can be wrong. */
class RawAuthIT {
  private static final Headers NONE = Headers.EMPTY;
  private static final Headers FIVE = Headers.of("content-length", "5");
  private static final String PLUS_KEY = "abc+abc";
  private static final String OBJECT = "/auth/object";

  @TempDir static Path directory;
  private static TestServer server;
  private RawClient client;

  @BeforeAll
  static void start() throws IOException {
    Map<String, String> keys =
        Map.of(TestServer.ACCESS_KEY, TestServer.SECRET_KEY, PLUS_KEY, "plus+secret");
    server = TestServer.start(directory, Map.of("auth.credentials", keys));
    try (RawClient client = new RawClient(server.port(), "", "")) {
      client.send(signer().head("PUT", "/auth", Headers.of("content-length", "0")));
      assertThat(client.receive().status()).isEqualTo(200);
      client.send(signer().head("PUT", OBJECT, FIVE) + "hello");
      assertThat(client.receive().status()).isEqualTo(200);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @BeforeEach
  void open() throws IOException {
    client = new RawClient(server.port(), "", "");
  }

  @AfterEach
  void close() throws IOException {
    client.close();
  }

  @Test
  void shouldServeWhenSignatureIsRight() throws IOException {
    client.send(signer().head("GET", OBJECT, NONE));

    assertThat(client.receive().body()).isEqualTo("hello");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 403, AccessDenied",
    "'Authorization: \r\n', 403, AccessDenied",
    "'Authorization: Basic eDp5\r\n', 400, InvalidRequest",
    "'Authorization: AWS AKIDTEST:c2ln\r\n', 400, InvalidRequest",
    "'Authorization: AWS4-HMAC-SHA256 \r\n', 400, InvalidRequest",
    "'Authorization: AWS4-HMAC-SHA256 Credential=x\r\n', 400, AuthorizationHeaderMalformed",
    "'Authorization: AWS4-HMAC-SHA256 Credential=a/b/c/d/aws4_request\r\n', 400,"
        + " AuthorizationHeaderMalformed",
  })
  void shouldRefuseWhenAuthorizationIsOfNoUse(String header, int status, String code)
      throws IOException {
    client.send("GET " + OBJECT + " HTTP/1.1\r\nHost: localhost\r\n" + header + "\r\n");

    refused(status, code);
  }

  @Test
  void shouldRefuseWhenAccessKeyIsUnknown() throws IOException {
    client.send(new RequestSigner("AKIDNONE", TestServer.SECRET_KEY).head("GET", OBJECT, NONE));

    refused(403, "InvalidAccessKeyId");
  }

  @Test
  void shouldRefuseWhenSecretIsWrong() throws IOException {
    client.send(new RequestSigner(TestServer.ACCESS_KEY, "wrong").head("GET", OBJECT, NONE));

    refused(403, "SignatureDoesNotMatch");
  }

  @Test
  void shouldRefuseWhenSignatureIsOfAnotherRequest() throws IOException {
    String head = signer().head("GET", OBJECT, NONE);
    client.send(head.replace("GET", "DELETE"));
    refused(403, "SignatureDoesNotMatch");
    client.send(head.replace(OBJECT, OBJECT + "2"));
    refused(403, "SignatureDoesNotMatch");
    client.send(head.replace(OBJECT, OBJECT + "?acl"));
    refused(403, "SignatureDoesNotMatch");
    client.send(head.replace("host: localhost", "host: elsewhere"));
    refused(403, "SignatureDoesNotMatch");
  }

  @ParameterizedTest
  @CsvSource({
    "-960, RequestTimeTooSkewed, 403",
    "960, RequestTimeTooSkewed, 403",
    "-840, '', 200",
    "840, '', 200"
  })
  void shouldAllowAQuarterOfAnHourWhenClocksDiffer(long seconds, String code, int status)
      throws IOException {
    Instant then = Instant.now().plusSeconds(seconds);
    client.send(signer().at(then).head("GET", OBJECT, NONE));

    Answer answer = client.receive();
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).contains(code);
  }

  @ParameterizedTest
  @CsvSource({"20200101, us-east-1, s3", ", eu-west-1, s3", ", us-east-1, ec2"})
  void shouldRefuseWhenScopeIsWrong(String date, String region, String service) throws IOException {
    client.send(signer().scope(date, region, service).head("GET", OBJECT, NONE));

    refused(400, "AuthorizationHeaderMalformed");
  }

  @Test
  void shouldRefuseWhenASignedHeaderIsMissing() throws IOException {
    String head = signer().head("GET", OBJECT, Headers.of("x-amz-meta-a", "b"));
    client.send(head.replace("x-amz-meta-a: b\r\n", ""));

    Answer answer = refused(403, "SignatureDoesNotMatch");
    assertThat(answer.body()).contains("x-amz-meta-a");
  }

  @Test
  void shouldRefuseWhenAnAmzHeaderIsNotSigned() throws IOException {
    String head = signer().head("GET", OBJECT, NONE);
    client.send(head.replace("\r\n\r\n", "\r\nx-amz-acl: public-read\r\n\r\n"));

    assertThat(refused(403, "AccessDenied").body()).contains("x-amz-acl");
  }

  @Test
  void shouldRefuseWhenHostIsNotSigned() throws IOException {
    String head = signer().head("GET", OBJECT, NONE);
    client.send(head.replace("SignedHeaders=host;", "SignedHeaders="));

    refused(403, "AccessDenied");
  }

  @Test
  void shouldRefuseWhenSignedHeadersAreWithoutEnd() throws IOException {
    String head = signer().head("GET", OBJECT, NONE);
    client.send(head.replace("SignedHeaders=host;", "SignedHeaders=host;" + "a;".repeat(300)));

    refused(400, "AuthorizationHeaderMalformed");
  }

  @Test
  void shouldStoreNothingWhenPayloadHashIsWrong() throws IOException {
    String head = signer().payload(RequestSigner.sha256("other")).head("PUT", "/auth/h", FIVE);
    client.send(head + "hello");
    refused(400, "XAmzContentSHA256Mismatch");
    client.send(signer().head("GET", "/auth/h", NONE));
    refused(404, "NoSuchKey");
    client.send(signer().payload("nonsense").head("PUT", "/auth/h", FIVE) + "hello");
    refused(400, "InvalidRequest");
  }

  @Test
  void shouldAcceptWhenPayloadIsNotSigned() throws IOException { // s3-bugs 31
    client.send(signer().payload("UNSIGNED-PAYLOAD").head("PUT", "/auth/u", FIVE) + "hello");

    assertThat(client.receive().status()).isEqualTo(200);
  }

  @Test
  void shouldTakeEitherDateWhenBothOrOneAreThere() throws IOException { // s3-bugs 32
    Instant now = Instant.now();
    Headers date = Headers.of("date", HttpDates.format(now));
    client.send(signer().at(now).withoutAmzDate().head("GET", OBJECT, date));
    assertThat(client.receive().status()).isEqualTo(200);

    // x-amz-date comes first, so that a proxy's or a caller's Date does not matter.
    Headers old = Headers.of("date", HttpDates.format(now.minusSeconds(86_400)));
    client.send(signer().at(now).head("GET", OBJECT, old));
    assertThat(client.receive().status()).isEqualTo(200);

    client.send(signer().at(now).withoutAmzDate().head("GET", OBJECT, NONE));
    refused(403, "AccessDenied");
    client.send(signer().withoutAmzDate().head("GET", OBJECT, Headers.of("date", "yesterday")));
    refused(403, "AccessDenied");
    client.send(signer().at(now).withoutAmzDate().head("GET", OBJECT, old));
    refused(400, "AuthorizationHeaderMalformed");
  }

  @ParameterizedTest
  @CsvSource({
    "%C3%A9, %C3%A9",
    "a+b, a%2Bb",
    "a%2Bb, a%2Bb",
    "a%252Bb, a%252Bb",
    "a%20b, a%20b",
    "~, ~",
    "%7E, ~",
    "!*'(), %21%2A%27%28%29",
    "%21*%27(), %21%2A%27%28%29",
    "a//b, a//b",
    "%c3%a9, %C3%A9",
    "a=b&c, a%3Db%26c",
    "../x, ../x",
  })
  void shouldAgreeOnThePathWhenKeyHasOddCharacters(String sent, String canonical)
      throws IOException { // s3-bugs 28
    String target = "/auth/k/" + sent;
    String path = "/auth/k/" + canonical;
    client.send(signer().head("PUT", target, path, "", FIVE, List.of()) + "hello");
    assertThat(client.receive().status()).isEqualTo(200);

    client.send(signer().head("GET", path, NONE));
    assertThat(client.receive().body()).isEqualTo("hello");
    String query = "list-type=2&prefix=k%2F" + canonical.replace("/", "%2F");
    client.send(signer().head("GET", "/auth?" + query, "/auth", query, NONE, List.of()));
    assertThat(client.receive().body()).contains("<KeyCount>1</KeyCount>");
  }

  @Test
  void shouldAgreeWhenPathIsSignedAsSent() throws IOException {
    client.send(signer().head("GET", "/auth%2Fobject".replace("%2F", "/"), NONE));
    assertThat(client.receive().body()).isEqualTo("hello");

    client.send(signer().head("PUT", "/auth/k2/a%2Fb", FIVE) + "hello");
    assertThat(client.receive().status()).isEqualTo(200);
    client.send(signer().head("GET", "/auth/k2/a/b", NONE));
    assertThat(client.receive().body()).isEqualTo("hello");
  }

  @Test
  void shouldSortParametersWhenQueryIsSigned() throws IOException {
    String sent = "prefix=obj&list-type=2&delimiter=%2F&max-keys=5&empty";
    String canonical = "delimiter=%2F&empty=&list-type=2&max-keys=5&prefix=obj";
    client.send(signer().head("GET", "/auth?" + sent, "/auth", canonical, NONE, List.of()));

    assertThat(client.receive().body()).contains("<Key>object</Key>");
  }

  @Test
  void shouldServeWhenAccessKeyHasAPlus() throws IOException { // s3-bugs 29
    RequestSigner plus = new RequestSigner(PLUS_KEY, "plus+secret");
    presigned("GET", plus.presigned("GET", OBJECT, "60", NONE), "");
    assertThat(client.receive().body()).isEqualTo("hello");
    // Left bare it is the same key: in a query only percent escapes count for the signature.
    presigned("GET", plus.presigned("GET", OBJECT, "60", NONE).replace("%2B", "+"), "");
    assertThat(client.receive().body()).isEqualTo("hello");
    client.send(plus.head("GET", OBJECT, NONE));
    assertThat(client.receive().body()).isEqualTo("hello");
  }

  @ParameterizedTest
  @CsvSource({
    "-120, 60, 403, AccessDenied",
    "0, 604801, 403, AuthorizationQueryParametersError",
    "0, 0, 403, AuthorizationQueryParametersError",
    "0, -1, 403, AuthorizationQueryParametersError",
    "0, ten, 400, AuthorizationQueryParametersError",
    "0, '', 400, AuthorizationQueryParametersError",
    "960, 60, 403, AccessDenied",
    "-60, 604800, 200, ''",
  })
  void shouldJudgeTheLifeOfAUrlWhenPresigned(long age, String expires, int status, String code)
      throws IOException {
    RequestSigner then = signer().at(Instant.now().plusSeconds(age));
    presigned("GET", then.presigned("GET", OBJECT, expires, NONE), "");

    Answer answer = client.receive();
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).contains(code);
  }

  @Test
  void shouldRefuseWhenPresignedUrlWasChanged() throws IOException {
    String target = signer().presigned("GET", OBJECT, "60", NONE);
    presigned("GET", target.replace("Expires=60", "Expires=6000"), "");
    refused(403, "SignatureDoesNotMatch");
    presigned("DELETE", target, "");
    refused(403, "SignatureDoesNotMatch");
    presigned("GET", target + "&response-content-type=text/html", "");
    refused(403, "SignatureDoesNotMatch");
    presigned("GET", target.replaceAll("&X-Amz-Signature=.*", ""), "");
    refused(400, "AuthorizationQueryParametersError");
    presigned("GET", target.replace("AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1"), "");
    refused(400, "AuthorizationQueryParametersError");
    presigned(
        "GET", target.replaceAll("X-Amz-Date=[^&]*", "X-Amz-Date=+9999999991231T000000Z"), "");
    refused(400, "AuthorizationQueryParametersError");
  }

  @Test
  void shouldRefuseWhenSignedTwice() throws IOException {
    String target = signer().presigned("GET", OBJECT, "60", NONE);
    client.send(signer().head("GET", target, NONE));

    refused(400, "InvalidArgument");
  }

  @Test
  void shouldVerifyBodyWhenPresignedPutNamesItsHash() throws IOException { // s3-bugs 31
    String hash = RequestSigner.sha256("hello");
    Headers headers = Headers.of("x-amz-content-sha256", hash);
    String target = signer().payload(hash).presigned("PUT", "/auth/p", "60", headers);
    String extra = "x-amz-content-sha256: " + hash + "\r\nContent-Length: 5\r\n";

    presigned("PUT", target, extra);
    client.send("olleh");
    refused(400, "XAmzContentSHA256Mismatch");
    client.send(signer().head("GET", "/auth/p", NONE));
    refused(404, "NoSuchKey");
    presigned("PUT", target, extra);
    client.send("hello");
    assertThat(client.receive().status()).isEqualTo(200);
  }

  private void presigned(String method, String target, String extra) throws IOException {
    client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + extra + "\r\n");
  }

  private Answer refused(int status, String code) throws IOException {
    Answer answer = client.receive();
    assertThat(answer.body()).contains("<Code>" + code + "</Code>");
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.body()).doesNotContain(TestServer.SECRET_KEY);
    return answer;
  }

  private static RequestSigner signer() {
    return new RequestSigner(TestServer.ACCESS_KEY, TestServer.SECRET_KEY);
  }
}
