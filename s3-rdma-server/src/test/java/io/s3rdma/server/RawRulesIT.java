package io.s3rdma.server;

import static io.s3rdma.server.RawCalls.code;
import static io.s3rdma.server.RawCalls.element;
import static io.s3rdma.server.RawCalls.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import io.s3rdma.server.http.RequestSigner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits, guards and what is not there: each is refused by its name, and nothing is stored. */
class RawRulesIT {
  private static final int OBJECT_BYTES_MAX = 6 << 20;

  @TempDir static Path directory;
  private static TestServer server;
  private static RawCalls calls;

  @BeforeAll
  static void start() throws IOException {
    server =
        TestServer.start(
            directory,
            Map.of("auth.allow-anonymous", true, "store.object-bytes-max", OBJECT_BYTES_MAX));
    calls = new RawCalls(server);
    calls.send("PUT", "/rules", "");
    calls.send("PUT", "/rules/key", "content", "x-amz-acl", "public-read");
  }

  @AfterAll
  static void stop() throws IOException {
    calls.close();
    server.close();
  }

  /** Every subresource of S3's model that is not served; none may be taken for its resource. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /rules?accelerate",
        "GET /rules?abac",
        "GET /rules?analytics",
        "GET /rules?intelligent-tiering",
        "GET /rules?inventory",
        "GET /rules?logging",
        "GET /rules?metadataConfiguration",
        "GET /rules?metadataTable",
        "GET /rules?metrics",
        "GET /rules?notification",
        "GET /rules?object-lock",
        "GET /rules?ownershipControls",
        "POST /rules?policy",
        "GET /rules?publicAccessBlock",
        "GET /rules?replication",
        "GET /rules?requestPayment",
        "GET /rules?session",
        "GET /rules?website",
        "PUT /rules?abac",
        "PUT /rules?metadataInventoryTable",
        "PUT /rules?metadataJournalTable",
        "PUT /rules?object-lock",
        "PUT /rules?policyStatus",
        "PUT /rules?publicAccessBlock",
        "PUT /rules?website",
        "DELETE /rules?metadataConfiguration",
        "DELETE /rules?publicAccessBlock",
        "DELETE /rules?website",
        "POST /rules",
        "POST /rules?metadataConfiguration",
        "GET /rules/key?legal-hold",
        "GET /rules/key?retention",
        "GET /rules/key?torrent",
        "PUT /rules/key?append",
        "PUT /rules/key?encryption",
        "PUT /rules/key?legal-hold",
        "PUT /rules/key?renameObject",
        "PUT /rules/key?retention",
        "POST /rules/key",
        "POST /rules/key?restore",
        "POST /rules/key?select&select-type=2",
        "PATCH /rules/key",
      })
  void shouldAnswer501WhenSubresourceIsNotServed(String request) throws IOException {
    String[] parts = request.split(" ", 2);
    Answer answer = calls.send(parts[0], parts[1], "");

    assertThat(answer.status()).isEqualTo(501);
    assertThat(code(answer)).isEqualTo("NotImplemented");
    assertThat(calls.call("GET", "/rules/key").body()).isEqualTo("content");
  }

  @Test
  void shouldStoreNothingWhenPartNumberHasNoUpload() throws IOException {
    assertThat(code(calls.send("PUT", "/rules/part?partNumber=1", "x")))
        .isEqualTo("InvalidRequest");
    assertThat(calls.call("HEAD", "/rules/part").status()).isEqualTo(404);
  }

  /** The account of keys that the configuration itself names is s3rdma. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /rules",
        "HEAD /rules/key",
        "GET /rules/key",
        "PUT /rules/owned",
        "DELETE /rules/none",
        "GET /rules?versioning",
        "POST /rules/owned?uploads",
      })
  void shouldRefuseWhenBucketHasAnotherOwnerThanExpected(String request) throws IOException {
    String[] parts = request.split(" ", 2);
    String[] other = {"x-amz-expected-bucket-owner", "111122223333"};
    boolean hasBody = parts[0].startsWith("P");
    Answer refused =
        hasBody ? calls.send(parts[0], parts[1], "", other) : calls.call(parts[0], parts[1], other);
    String[] own = {"x-amz-expected-bucket-owner", "s3rdma"};
    Answer done =
        hasBody ? calls.send(parts[0], parts[1], "", own) : calls.call(parts[0], parts[1], own);

    assertThat(refused.status()).isEqualTo(403);
    assertThat(code(refused)).isEqualTo(parts[0].equals("HEAD") ? "" : "AccessDenied");
    assertThat(done.status()).isIn(200, 204);
  }

  @Test
  void shouldRefuseWhenSourceHasAnotherOwnerThanExpected() throws IOException {
    String id = element(calls.send("POST", "/rules/copied?uploads", ""), "UploadId");
    for (String target : List.of("/rules/copied", "/rules/copied?partNumber=1&uploadId=" + id)) {
      for (String[] owner : new String[][] {{"111122223333", "403"}, {"s3rdma", "200"}}) {
        Answer answer =
            calls.send(
                "PUT",
                target,
                "",
                "x-amz-copy-source",
                "rules/key",
                "x-amz-source-expected-bucket-owner",
                owner[0]);

        assertThat(answer.status()).as(target).isEqualTo(Integer.parseInt(owner[1]));
      }
    }
  }

  /** 2,048 octets of names without their prefix and of values. */
  @ParameterizedTest
  @CsvSource({"2044, 200", "2045, 400"})
  void shouldRefuseWhenMetadataIsLarge(int octets, int status) throws IOException {
    for (String value : List.of("v".repeat(octets), "\u00e9".repeat(octets))) {
      calls.call("DELETE", "/rules/meta");
      Answer put = calls.send("PUT", "/rules/meta", "x", "x-amz-meta-name", value);

      assertThat(put.status()).isEqualTo(status);
      assertThat(code(put)).isEqualTo(status == 200 ? "" : "MetadataTooLarge");
      Answer head = calls.call("HEAD", "/rules/meta");
      assertThat(header(head, "x-amz-meta-name")).isEqualTo(status == 200 ? value : "");
    }
  }

  @Test
  void shouldRefuseWhenObjectOrPartIsLargerThanAllowed() throws IOException {
    String id = element(calls.send("POST", "/rules/big?uploads", ""), "UploadId");
    for (String target : List.of("/rules/big", "/rules/big?partNumber=1&uploadId=" + id)) {
      assertThat(calls.send("PUT", target, "x".repeat(OBJECT_BYTES_MAX)).status()).isEqualTo(200);
      assertThat(code(sendOnce("PUT", target, "x".repeat(OBJECT_BYTES_MAX + 1))))
          .isEqualTo("EntityTooLarge");
      requireLengthCountedAsItComes(target);
    }
    assertThat(header(calls.call("HEAD", "/rules/big"), "content-length"))
        .isEqualTo(Integer.toString(OBJECT_BYTES_MAX));
  }

  private static void requireLengthCountedAsItComes(String target) throws IOException {
    try (RawClient client =
        new RawClient(server.port(), TestServer.ACCESS_KEY, TestServer.SECRET_KEY)) {
      Headers chunked = Headers.of("transfer-encoding", "chunked");
      client.sendHead("PUT", target, chunked, Headers.EMPTY);
      int size = OBJECT_BYTES_MAX + 1;
      client.send(Integer.toHexString(size) + "\r\n" + "x".repeat(size) + "\r\n0\r\n\r\n");

      assertThat(code(client.receive())).isEqualTo("EntityTooLarge");
    }
  }

  /** Also of Complete, whose x-amz-checksum-* are over the object and not over the document. */
  @ParameterizedTest
  @CsvSource({
    "PUT, /rules",
    "PUT, /rules?acl",
    "PUT, /rules?cors",
    "PUT, /rules?lifecycle",
    "PUT, /rules?tagging",
    "PUT, /rules?versioning",
    "POST, /rules?delete",
    "PUT, /rules/key?acl",
    "PUT, /rules/key?tagging",
    "POST, /rules/key?uploadId=x",
  })
  void shouldRefuseWhenDocumentHasAnotherMd5(String method, String target) throws IOException {
    Answer other =
        calls.send(method, target, "<Document/>", "content-md5", "AAAAAAAAAAAAAAAAAAAAAA==");
    Answer malformed = calls.send(method, target, "<Document/>", "content-md5", "no base64");

    assertThat(code(other)).isEqualTo("BadDigest");
    assertThat(code(malformed)).isEqualTo("InvalidDigest");
    assertThat(code(calls.send(method, target, "<Document/>"))).isEqualTo("MalformedXML");
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /rules, 65536",
    "PUT, /rules?acl, 65536",
    "PUT, /rules?versioning, 65536",
    "PUT, /rules/key?tagging, 65536",
    "PUT, /rules?cors, 1048576",
    "PUT, /rules?lifecycle, 1048576",
    "POST, /rules?delete, 4194304",
    "POST, /rules/key?uploadId=x, 4194304",
  })
  void shouldRefuseWhenDocumentIsLong(String method, String target, int bytesMax)
      throws IOException {
    Answer answer = sendOnce(method, target, " ".repeat(bytesMax + 1));

    assertThat(code(answer)).isEqualTo("MalformedXML");
    assertThat(answer.body()).contains("more than " + bytesMax + " bytes");
  }

  /** The octets of a path are a key only if they are UTF-8 (s3-tests sends AE 8A 2D). */
  @ParameterizedTest
  @ValueSource(strings = {"%AE%8A-", "\u00ae\u008a-", "%zz", "%4", "%", "a%c3"})
  void shouldRefuseWhenKeyCannotBeDecoded(String key) throws IOException {
    try (RawClient client = new RawClient(server.port(), "", "")) {
      client.send("GET /rules/" + key + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      Answer answer = client.receive();

      assertThat(answer.status()).isEqualTo(400);
      assertThat(code(answer)).isEqualTo("InvalidURI");
    }
  }

  @Test
  void shouldRefuseWhenContentSha256IsMissing() throws IOException {
    try (RawClient client = new RawClient(server.port(), "", "")) {
      String head = signer().head("GET", "/rules/key", Headers.EMPTY);
      client.send(head.replaceAll("(?m)^x-amz-content-sha256: .*\r\n", ""));
      Answer answer = client.receive();

      assertThat(answer.status()).isEqualTo(400);
      assertThat(code(answer)).isEqualTo("InvalidRequest");
      assertThat(answer.body()).contains("x-amz-content-sha256");
    }
  }

  @Test
  void shouldOverrideHeadersOnlyWhenSigned() throws IOException {
    try (RawClient client =
        new RawClient(server.port(), TestServer.ACCESS_KEY, TestServer.SECRET_KEY)) {
      client.send("GET /rules/key HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(client.receive().body()).isEqualTo("content");
      String asked = "/rules/key?response-content-type=text%2Fhtml";
      client.send("GET " + asked + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(code(client.receive())).isEqualTo("InvalidRequest");
    }
    assertThat(
            header(
                calls.call("GET", "/rules/key?response-content-type=text%2Fhtml"), "content-type"))
        .isEqualTo("text/html");
  }

  /** SigV4 trims values and folds their spaces; what is kept is what was sent (s3-bugs 41). */
  @Test
  void shouldFoldSpacesWhenSignatureIsMade() throws IOException {
    try (RawClient client = new RawClient(server.port(), "", "")) {
      Headers headers =
          Headers.of("content-length", "1", "x-amz-meta-a", "b c", "x-amz-meta-u", "\u00c3\u00a9");
      String head = signer().head("PUT", "/rules/spaces", headers);
      client.send(head.replace("x-amz-meta-a: b c\r\n", "x-amz-meta-a:   b   c  \r\n") + "x");
      assertThat(client.receive().status()).isEqualTo(200);
    }
    Answer stored = calls.call("HEAD", "/rules/spaces");
    assertThat(header(stored, "x-amz-meta-a")).isEqualTo("b   c");
    assertThat(header(stored, "x-amz-meta-u")).isEqualTo("\u00c3\u00a9");
  }

  /** One header with a list, or one for each (s3-bugs 13). */
  @Test
  void shouldAnswerAttributesWhenHeaderIsRepeated() throws IOException {
    try (RawClient client = new RawClient(server.port(), "", "")) {
      Headers names =
          Headers.of("x-amz-object-attributes", "ObjectSize", "x-amz-object-attributes", "ETag");
      client.send(
          signer()
              .head("GET", "/rules/key?attributes", "/rules/key", "attributes=", names, List.of()));
      Answer answer = client.receive();

      assertThat(element(answer, "ObjectSize")).isEqualTo("7");
      assertThat(element(answer, "ETag")).hasSize(32);
    }
  }

  /** Where a refusal may end the connection. */
  private static Answer sendOnce(String method, String target, String body) throws IOException {
    try (RawCalls once = new RawCalls(server)) {
      return once.send(method, target, body);
    }
  }

  private static RequestSigner signer() {
    return new RequestSigner(TestServer.ACCESS_KEY, TestServer.SECRET_KEY);
  }
}
