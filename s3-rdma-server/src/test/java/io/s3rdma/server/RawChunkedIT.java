package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import io.s3rdma.server.http.RequestSigner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section A of the reported faults of other servers: bodies in aws-chunked, through the socket. */
class RawChunkedIT {
  private static final Headers NONE = Headers.EMPTY;
  private static final String SIGNED = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD";
  private static final String SIGNED_TRAILER = SIGNED + "-TRAILER";
  private static final String UNSIGNED_TRAILER = "STREAMING-UNSIGNED-PAYLOAD-TRAILER";
  private static final String CRC = "x-amz-checksum-crc32";

  @TempDir static Path directory;
  private static TestServer server;
  private RawClient client;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    try (RawClient client = new RawClient(server.port(), "", "")) {
      client.send(signer().head("PUT", "/chunked", Headers.of("content-length", "0")));
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
  void shouldDecodeWhenChunksAndTrailerAreSigned() throws IOException { // 1
    String data = "eighteen bytes do.";
    Headers trailer = Headers.of("x-amz-trailer", CRC);
    putSigned(
        "/chunked/one",
        SIGNED_TRAILER,
        data.length(),
        trailer,
        signer -> {
          return signer.chunk(data) + signer.chunk("") + signer.trailer(CRC, crc32(data));
        });
    assertThat(client.receive().status()).isEqualTo(200);

    stored("/chunked/one", data);
  }

  @Test
  void shouldRefuseWhenSignedTrailerWasChanged() throws IOException { // 1
    String data = "eighteen bytes do.";
    Headers trailer = Headers.of("x-amz-trailer", CRC);
    putSigned(
        "/chunked/no",
        SIGNED_TRAILER,
        data.length(),
        trailer,
        signer -> {
          String end = signer.chunk(data) + signer.chunk("") + signer.trailer(CRC, crc32(data));
          return end.replace(crc32(data), crc32("other"));
        });

    refused("/chunked/no", 403, "SignatureDoesNotMatch");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "STREAMING-AWS4-HMAC-SHA512-PAYLOAD",
        "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD",
        "STREAMING-",
        "streaming-unsigned-payload-trailer",
        "unsigned-payload",
        "UNSIGNED",
        "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
      })
  void shouldStoreNothingRawWhenModeIsUnknown(String mode) throws IOException { // 1
    Headers headers = Headers.of("content-length", "5", "x-amz-decoded-content-length", "5");
    client.send(signer().payload(mode).head("PUT", "/chunked/no", headers) + "hello");
    Answer answer = client.receive();

    assertThat(answer.status()).isEqualTo(mode.startsWith("STREAMING-") ? 501 : 400);
    missing("/chunked/no");
  }

  @Test
  void shouldDecodeWhenTrailerIsNotSigned() throws IOException { // 2, 3
    putUnsigned("/chunked/two", "toto\n", crc32("toto\n"), NONE);
    assertThat(client.receive().status()).isEqualTo(200);
    stored("/chunked/two", "toto\n");

    putUnsigned("/chunked/no", "toto\n", crc32("otot\n"), NONE);
    refused("/chunked/no", 400, "BadDigest");
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-checksum-crc32c, AAAAAA==",
    "x-amz-checksum-crc32, AAAAAA==",
    "x-amz-checksum-crc64nvme, AAAAAAAAAAA=",
    "x-amz-checksum-sha1, 2jmj7l5rSw0yVb/vlWAYkK/YBwk=",
    "x-amz-checksum-sha256, 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
  })
  void shouldStoreAnEmptyObjectWhenOnlyATrailerComes(String name, String value)
      throws IOException { // 4
    String framed = "0\r\n" + name + ":" + value + "\r\n\r\n";
    put("/chunked/empty", UNSIGNED_TRAILER, 0, Headers.of("x-amz-trailer", name), framed);
    assertThat(client.receive().status()).isEqualTo(200);

    stored("/chunked/empty", "");
  }

  @Test
  void shouldNotDecodeWhenOnlyContentEncodingSaysChunked() throws IOException { // 5
    String text = "3\r\nabc\r\n0\r\n\r\n";
    Headers headers =
        Headers.of("content-length", "" + text.length(), "content-encoding", "aws-chunked");
    RequestSigner signer = signer().payload(RequestSigner.sha256(text));
    client.send(signer.head("PUT", "/chunked/five", headers) + text);
    assertThat(client.receive().status()).isEqualTo(200);

    assertThat(stored("/chunked/five", text).headers().contains("content-encoding")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gzip,aws-chunked | gzip",
        "aws-chunked, gzip | gzip",
        "aws-chunked | ''",
        "AWS-Chunked | ''",
        "br , gzip , aws-chunked | br,gzip",
        "gzip | gzip",
      })
  void shouldForgetTheFramingWhenItIsNamedAsAnEncoding(String sent, String kept)
      throws IOException { // 6
    Headers encoding = Headers.of("content-encoding", sent);
    putUnsigned("/chunked/six", "x", crc32("x"), encoding);
    assertThat(client.receive().status()).isEqualTo(200);

    Answer answer = stored("/chunked/six", "x");
    String encodings = answer.headers().first("content-encoding").orElse("");
    assertThat(encodings.replace(" ", "")).isEqualTo(kept);
  }

  @Test
  void shouldStoreNothingWhenAByteOfAChunkWasFlipped() throws IOException { // 7
    putSigned(
        "/chunked/no",
        SIGNED,
        15,
        NONE,
        signer -> {
          String chunks = signer.chunk("first") + signer.chunk("secnd") + signer.chunk("third");
          return chunks.replace("secnd", "sEcnd") + signer.chunk("") + "\r\n";
        });
    refused("/chunked/no", 403, "SignatureDoesNotMatch");

    putSigned(
        "/chunked/seven",
        SIGNED,
        15,
        NONE,
        signer -> {
          String chunks = signer.chunk("first") + signer.chunk("secnd") + signer.chunk("third");
          return chunks + signer.chunk("") + "\r\n";
        });
    assertThat(client.receive().status()).isEqualTo(200);
    stored("/chunked/seven", "firstsecndthird");
  }

  @Test
  void shouldStoreNothingWhenTheLastChunkIsMissing() throws IOException { // 7
    putSigned("/chunked/no", SIGNED, 5, NONE, signer -> signer.chunk("first"));
    refused("/chunked/no", 400, "IncompleteBody");
  }

  @Test
  void shouldTakeTheDecodedLengthWhenBodyIsEmpty() throws IOException { // 8
    putSigned("/chunked/dir/", SIGNED, 0, NONE, signer -> signer.chunk("") + "\r\n");
    assertThat(client.receive().status()).isEqualTo(200);

    client.send(signer().head("HEAD", "/chunked/dir/", NONE));
    assertThat(client.receive(false).headers().first("content-length")).contains("0");
  }

  @Test
  void shouldRefuseWhenDecodedLengthIsMissingOrWrong() throws IOException {
    Headers length = Headers.of("content-length", "17", "x-amz-trailer", CRC);
    client.send(signer().payload(UNSIGNED_TRAILER).head("PUT", "/chunked/no", length));
    client.send("5\r\nhello\r\n0\r\n\r\n\r\n");
    refused("/chunked/no", 411, "MissingContentLength");

    String framed = "5\r\nhello\r\n0\r\n" + CRC + ":" + crc32("hello") + "\r\n\r\n";
    put("/chunked/no", UNSIGNED_TRAILER, 6, Headers.of("x-amz-trailer", CRC), framed);
    refused("/chunked/no", 400, "IncompleteBody");
    put("/chunked/no", UNSIGNED_TRAILER, 4, Headers.of("x-amz-trailer", CRC), framed);
    refused("/chunked/no", 400, "IncompleteBody");
  }

  private interface Frames {
    String of(RequestSigner signer);
  }

  /** The framed length is known only once it is signed; what is signed does not depend on it. */
  private void putSigned(String target, String mode, int length, Headers more, Frames frames)
      throws IOException {
    RequestSigner signer = signer().payload(mode);
    Headers headers = more.with("x-amz-decoded-content-length", "" + length);
    String head = signer.head("PUT", target, headers);
    String framed = frames.of(signer);
    String both = head.replace("\r\n\r\n", "\r\nContent-Length: " + framed.length() + "\r\n\r\n");
    client.send(both + framed);
  }

  private void putUnsigned(String target, String data, String crc, Headers more)
      throws IOException {
    String size = Integer.toHexString(data.length());
    String framed = size + "\r\n" + data + "\r\n0\r\n" + CRC + ":" + crc + "\r\n\r\n";
    put(target, UNSIGNED_TRAILER, data.length(), more.with("x-amz-trailer", CRC), framed);
  }

  private void put(String target, String mode, int length, Headers more, String framed)
      throws IOException {
    Headers headers =
        more.with("content-length", "" + framed.length())
            .with("x-amz-decoded-content-length", "" + length);
    client.send(signer().payload(mode).head("PUT", target, headers) + framed);
  }

  private Answer stored(String target, String content) throws IOException {
    client.send(signer().head("GET", target, NONE));
    Answer answer = client.receive();
    assertThat(answer.body()).isEqualTo(content);
    assertThat(answer.headers().first("content-length")).contains("" + content.length());
    return answer;
  }

  private void refused(String target, int status, String code) throws IOException {
    Answer answer = client.receive();
    assertThat(answer.body()).contains("<Code>" + code + "</Code>");
    assertThat(answer.status()).isEqualTo(status);
    missing(target);
  }

  private void missing(String target) throws IOException {
    try (RawClient other = new RawClient(server.port(), "", "")) {
      other.send(signer().head("GET", target, NONE));
      assertThat(other.receive().status()).isEqualTo(404);
    }
  }

  private static String crc32(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
    byte[] octets = ByteBuffer.allocate(4).putInt((int) crc.getValue()).array();
    return Base64.getEncoder().encodeToString(octets);
  }

  private static RequestSigner signer() {
    return new RequestSigner(TestServer.ACCESS_KEY, TestServer.SECRET_KEY);
  }
}
