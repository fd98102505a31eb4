package io.s3rdma.server;

import static io.s3rdma.server.RawCalls.code;
import static io.s3rdma.server.RawCalls.element;
import static io.s3rdma.server.RawCalls.header;
import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.ChecksumAlgorithm;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.PartSums;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checksums of uploads: every algorithm, both types, right and wrong (s3-bugs 11, 15, 16). */
class RawMultipartIT {
  private static final int PART = 5 << 20;
  private static final List<String> PARTS = List.of("A".repeat(PART), "B".repeat(PART), "end");

  @TempDir static Path directory;
  private static TestServer server;
  private static RawCalls calls;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    calls = new RawCalls(server);
    calls.send("PUT", "/multi", "");
  }

  @AfterAll
  static void stop() throws IOException {
    calls.close();
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "CRC32, '', COMPOSITE",
    "CRC32, FULL_OBJECT, FULL_OBJECT",
    "CRC32C, COMPOSITE, COMPOSITE",
    "CRC32C, FULL_OBJECT, FULL_OBJECT",
    "CRC64NVME, '', FULL_OBJECT",
    "CRC64NVME, FULL_OBJECT, FULL_OBJECT",
    "SHA1, '', COMPOSITE",
    "SHA256, COMPOSITE, COMPOSITE",
  })
  void shouldHaveChecksumWhenDeclared(ChecksumAlgorithm algorithm, String asked, String type)
      throws IOException {
    Answer created = create(algorithm.name(), asked);
    String id = element(created, "UploadId");
    List<String> claims = upload(id, algorithm, true);
    String wanted = type.equals("COMPOSITE") ? composite(algorithm) : whole(algorithm);
    String name = algorithm.header();

    Answer wrong = complete(id, claims, name, wrong(wanted));
    Answer otherType =
        complete(
            id,
            claims,
            "x-amz-checksum-type",
            type.equals("COMPOSITE") ? "FULL_OBJECT" : "COMPOSITE");
    Answer done = complete(id, claims, name, wanted, "x-amz-checksum-type", type);
    Answer repeated = complete(id, claims, name, wanted);
    Answer head = calls.call("HEAD", "/multi/sum", "x-amz-checksum-mode", "ENABLED");
    Answer second = calls.call("HEAD", "/multi/sum?partNumber=2", "x-amz-checksum-mode", "ENABLED");

    assertThat(header(created, "x-amz-checksum-type")).isEqualTo(type);
    assertThat(code(wrong)).isEqualTo("BadDigest");
    assertThat(code(otherType)).isEqualTo("InvalidRequest");
    for (Answer answer : new Answer[] {done, repeated}) {
      assertThat(element(answer, algorithm.element())).isEqualTo(wanted);
      assertThat(element(answer, "ChecksumType")).isEqualTo(type);
    }
    assertThat(header(head, name)).isEqualTo(wanted);
    assertThat(header(head, "x-amz-checksum-type")).isEqualTo(type);
    assertThat(calls.call("HEAD", "/multi/sum").headers().contains(name)).isFalse();
    assertThat(header(second, name)).isEqualTo(sum(algorithm, PARTS.get(1)));
    assertThat(header(second, "x-amz-checksum-type")).isEqualTo(type);
    assertThat(header(second, "x-amz-mp-parts-count")).isEqualTo("3");
  }

  /** What the client leaves out at the end is known from the parts. */
  @Test
  void shouldHaveChecksumWhenPartsComeWithoutIt() throws IOException {
    String id = element(create("CRC32C", "FULL_OBJECT"), "UploadId");
    List<String> claims = upload(id, ChecksumAlgorithm.CRC32C, false);

    Answer done = complete(id, claims);

    assertThat(element(done, "ChecksumCRC32C")).isEqualTo(whole(ChecksumAlgorithm.CRC32C));
  }

  /** Nothing declared: the parts' checksums are verified, and Complete may do without. */
  @Test
  void shouldHaveNoChecksumWhenNoneWasDeclared() throws IOException {
    String id = element(create("", ""), "UploadId");
    List<String> claims = upload(id, ChecksumAlgorithm.CRC32, true);
    List<String> silent =
        claims.stream().map(c -> c.replaceAll("<Checksum.*</Ch.*?>", "")).toList();

    Answer done = complete(id, silent);

    assertThat(done.status()).isEqualTo(200);
    assertThat(done.body()).doesNotContain("Checksum");
    assertThat(calls.call("HEAD", "/multi/sum", "x-amz-checksum-mode", "ENABLED").headers().names())
        .noneMatch(name -> name.startsWith("x-amz-checksum-"));
  }

  @Test
  void shouldVerifyWhenOnlyCompleteTellsTheChecksum() throws IOException {
    String id = element(create("", ""), "UploadId");
    List<String> claims = upload(id, ChecksumAlgorithm.CRC32, true);
    String wanted = whole(ChecksumAlgorithm.CRC32);
    String[] right = {"x-amz-checksum-crc32", wanted, "x-amz-checksum-type", "FULL_OBJECT"};
    String[] wrong = {"x-amz-checksum-crc32", "AAAAAA==", "x-amz-checksum-type", "FULL_OBJECT"};

    assertThat(code(complete(id, claims, wrong))).isEqualTo("BadDigest");
    assertThat(code(complete(id, claims, "x-amz-checksum-sha1", "98O8HYCOBHMq32eZZczDTKeuNEE=")))
        .isEqualTo("InvalidRequest");
    assertThat(element(complete(id, claims, right), "ChecksumCRC32")).isEqualTo(wanted);
  }

  @ParameterizedTest
  @CsvSource({
    "CRC64NVME, COMPOSITE",
    "SHA1, FULL_OBJECT",
    "SHA256, FULL_OBJECT",
    "SHA512, ''",
    "MD5, ''",
    "XXHASH3, ''",
    "XXHASH64, FULL_OBJECT",
    "XXHASH128, ''",
    "CRC32, HALF_OBJECT",
    "'', FULL_OBJECT",
  })
  void shouldRefuseWhenPairIsNotPossible(String algorithm, String type) throws IOException {
    Answer created = create(algorithm, type);

    assertThat(created.status()).isEqualTo(400);
    assertThat(code(created)).isEqualTo("InvalidRequest");
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-checksum-sha1, 98O8HYCOBHMq32eZZczDTKeuNEE=, InvalidRequest",
    "x-amz-checksum-crc32, AAAAAA==, BadDigest",
    "x-amz-checksum-xxhash64, AAAA, InvalidRequest",
    "content-md5, AAAAAAAAAAAAAAAAAAAAAA==, BadDigest",
    "x-amz-server-side-encryption, AES256, InvalidArgument",
  })
  void shouldRefuseWhenPartIsNotAsDeclared(String name, String value, String code)
      throws IOException {
    String id = element(create("CRC32", ""), "UploadId");

    Answer part = calls.send("PUT", part(id, "1"), "123456789", name, value);

    assertThat(code(part)).isEqualTo(code);
    assertThat(calls.call("GET", "/multi/sum?uploadId=" + id).body()).doesNotContain("<Part>");
  }

  @ParameterizedTest
  @CsvSource({"0", "10001", "-1", "1x", "''"})
  void shouldRefuseWhenNumberIsNone(String number) throws IOException {
    String id = element(create("", ""), "UploadId");

    assertThat(code(calls.send("PUT", part(id, number), "x"))).isEqualTo("InvalidArgument");
  }

  /** Mountpoint uploads an empty file so: nothing, and its checksum behind (s3-bugs 4). */
  @Test
  void shouldTakePartWhenItIsEmptyWithTrailer() throws IOException {
    String id = element(create("CRC32C", ""), "UploadId");
    String body = "0\r\nx-amz-checksum-crc32c:AAAAAA==\r\n\r\n";
    Headers headers =
        Headers.of(
            "x-amz-decoded-content-length",
            "0",
            "content-length",
            Integer.toString(body.length()),
            "x-amz-trailer",
            "x-amz-checksum-crc32c");
    try (RawClient client =
        new RawClient(server.port(), TestServer.ACCESS_KEY, TestServer.SECRET_KEY)) {
      String payload = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
      client.send(client.head("PUT", part(id, "1"), payload, headers, Headers.EMPTY) + body);
      Answer part = client.receive();
      String claim =
          "<Part><PartNumber>1</PartNumber><ETag>%s</ETag></Part>".formatted(header(part, "etag"));

      assertThat(part.status()).isEqualTo(200);
      assertThat(header(part, "x-amz-checksum-crc32c")).isEqualTo("AAAAAA==");
      assertThat(complete(id, List.of(claim)).status()).isEqualTo(200);
    }
    Answer got = calls.call("GET", "/multi/sum");
    Answer first = calls.call("GET", "/multi/sum?partNumber=1");
    assertThat(got.body()).isEmpty();
    assertThat(header(got, "etag")).endsWith("-1\"");
    assertThat(header(first, "x-amz-mp-parts-count")).isEqualTo("1");
    assertThat(calls.call("GET", "/multi/sum", "range", "bytes=0-").status()).isEqualTo(416);
  }

  /** Framing of a request is no property of the object (s3-bugs 6). */
  @Test
  void shouldForgetFramingWhenCreated() throws IOException {
    Answer created =
        calls.send("POST", "/multi/sum?uploads", "", "content-encoding", "gzip, aws-chunked");
    String id = element(created, "UploadId");
    complete(id, upload(id, ChecksumAlgorithm.SHA1, true));

    assertThat(header(calls.call("HEAD", "/multi/sum"), "content-encoding")).isEqualTo("gzip");
  }

  private static Answer create(String algorithm, String type) throws IOException {
    List<String> headers = new ArrayList<>();
    if (!algorithm.isEmpty()) {
      headers.addAll(List.of("x-amz-checksum-algorithm", algorithm));
    }
    if (!type.isEmpty()) {
      headers.addAll(List.of("x-amz-checksum-type", type));
    }
    return calls.send("POST", "/multi/sum?uploads", "", headers.toArray(String[]::new));
  }

  /** What to claim of each part. */
  private static List<String> upload(String id, ChecksumAlgorithm algorithm, boolean withSums)
      throws IOException {
    List<String> claims = new ArrayList<>();
    for (int i = 0; i < PARTS.size(); i++) {
      String sum = sum(algorithm, PARTS.get(i));
      String[] headers = withSums ? new String[] {algorithm.header(), sum} : new String[0];
      Answer answer = calls.send("PUT", part(id, "" + (i + 1)), PARTS.get(i), headers);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(header(answer, algorithm.header())).isEqualTo(sum);
      String element = algorithm.element();
      claims.add(
          "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag>%s</Part>"
              .formatted(
                  i + 1,
                  header(answer, "etag"),
                  withSums ? "<" + element + ">" + sum + "</" + element + ">" : ""));
    }
    return claims;
  }

  private static Answer complete(String id, List<String> claims, String... headers)
      throws IOException {
    String document =
        "<CompleteMultipartUpload>" + String.join("", claims) + "</CompleteMultipartUpload>";
    return calls.send("POST", "/multi/sum?uploadId=" + id, document, headers);
  }

  private static String part(String id, String number) {
    return "/multi/sum?partNumber=" + number + "&uploadId=" + id;
  }

  private static String whole(ChecksumAlgorithm algorithm) {
    return sum(algorithm, String.join("", PARTS));
  }

  private static String composite(ChecksumAlgorithm algorithm) {
    PartSums sums = new PartSums(algorithm);
    PARTS.forEach(part -> sums.add(sum(algorithm, part), part.length()));
    return sums.composite();
  }

  private static String wrong(String sum) {
    return (sum.charAt(0) == 'A' ? 'B' : 'A') + sum.substring(1);
  }

  private static String sum(ChecksumAlgorithm algorithm, String text) {
    var hasher = algorithm.newHasher();
    hasher.update(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    return Base64.getEncoder().encodeToString(hasher.finish());
  }
}
