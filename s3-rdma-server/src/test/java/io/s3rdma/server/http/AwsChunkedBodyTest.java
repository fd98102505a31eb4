package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AwsChunkedBodyTest {
  private static final String CRC = "x-amz-checksum-crc32c";
  private static final byte[] KEY = Crypto.signingKey("secret", "20260101", "us-east-1", "s3");
  private static final String STAMP = "20260101T000000Z";
  private static final String SCOPE = "20260101/us-east-1/s3/aws4_request";

  @Test
  void shouldDecodeWhenTrailerIsUnsigned() throws IOException {
    AwsChunkedBody body =
        unsigned(5, "5\r\ntoto\n\r\n0\r\n" + CRC + ":AAAAAA==\r\n\r\n", Set.of(CRC));

    assertThat(text(body)).isEqualTo("toto\n");
    assertThat(body.trailers().first(CRC)).contains("AAAAAA==");
  }

  @Test
  void shouldDecodeWhenEmptyWithTrailer() throws IOException {
    AwsChunkedBody body = unsigned(0, "0\r\n" + CRC + ":AAAAAA==\r\n\r\n", Set.of(CRC));

    assertThat(text(body)).isEmpty();
    assertThat(body.trailers().first(CRC)).contains("AAAAAA==");
  }

  @Test
  void shouldDecodeWhenChunksArriveInOddPieces() throws IOException {
    String framed = "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";
    RequestBody raw = RequestBody.of(octets(framed));
    RequestBody slow =
        dst -> {
          int limit = dst.limit();
          dst.limit(Math.min(limit, dst.position() + 1));
          int count = raw.read(dst);
          dst.limit(limit);
          return count;
        };

    assertThat(text(new AwsChunkedBody(slow, 13, null, Set.of()))).isEqualTo("abc0123456789");
  }

  @Test
  void shouldDecodeWhenChunksAreSigned() throws IOException {
    Chain chain = new Chain();
    String framed =
        chain.chunk("hello ") + chain.chunk("world") + chain.last() + chain.trailer("AAAAAA==");

    assertThat(text(signed(11, framed, Set.of(CRC)))).isEqualTo("hello world");
  }

  @Test
  void shouldRefuseWhenAByteOfAChunkWasFlipped() {
    Chain chain = new Chain();
    String framed = chain.chunk("hello ") + chain.chunk("world").replace("world", "wOrld");

    refused(signed(11, framed + chain.last() + "\r\n", Set.of()), "SignatureDoesNotMatch");
  }

  @Test
  void shouldRefuseWhenChunksWereSwapped() {
    Chain chain = new Chain();
    String first = chain.chunk("aaaaa");
    String second = chain.chunk("bbbbb");

    refused(signed(10, second + first + chain.last() + "\r\n", Set.of()), "SignatureDoesNotMatch");
  }

  @Test
  void shouldRefuseWhenTrailerSignatureIsMissing() {
    Chain chain = new Chain();
    String framed = chain.chunk("hello") + chain.last() + CRC + ":AAAAAA==\r\n\r\n";

    refused(signed(5, framed, Set.of(CRC)), "AccessDenied");
  }

  @Test
  void shouldRefuseWhenSignaturesAreLeftOut() {
    refused(signed(5, "5\r\nhello\r\n0\r\n\r\n", Set.of()), "AccessDenied");
  }

  @Test
  void shouldRefuseWhenTrailerWasNotAnnounced() {
    refused(unsigned(0, "0\r\nx-evil:1\r\n\r\n", Set.of()), "MalformedTrailerError");
  }

  @Test
  void shouldRefuseWhenAnnouncedTrailerIsMissing() {
    refused(unsigned(0, "0\r\n\r\n", Set.of(CRC)), "MalformedTrailerError");
  }

  @Test
  void shouldRefuseWhenChunkIsLargerThanAnnounced() {
    refused(unsigned(4, "5\r\nhello\r\n0\r\n\r\n", Set.of()), "IncompleteBody");
    refused(unsigned(4, "fffffffffffffff\r\nhello", Set.of()), "IncompleteBody");
  }

  @Test
  void shouldRefuseWhenSizeIsNoHexNumber() {
    refused(unsigned(5, "-5\r\nhello\r\n0\r\n\r\n", Set.of()), "IncompleteBody");
    refused(unsigned(5, "0x5\r\nhello\r\n0\r\n\r\n", Set.of()), "IncompleteBody");
    refused(unsigned(5, "\r\nhello\r\n0\r\n\r\n", Set.of()), "IncompleteBody");
    refused(unsigned(5, "10000000000000005\r\nhello", Set.of()), "IncompleteBody");
  }

  @Test
  void shouldRefuseWhenBodyEndsEarly() {
    refused(unsigned(5, "5\r\nhel", Set.of()), "IncompleteBody");
    refused(unsigned(10, "5\r\nhello\r\n0\r\n\r\n", Set.of()), "IncompleteBody");
    refused(unsigned(5, "5\r\nhello\r\n", Set.of()), "IncompleteBody");
  }

  @Test
  void shouldRefuseWhenBytesFollowTheEnd() {
    refused(unsigned(5, "5\r\nhello\r\n0\r\n\r\nGET / HTTP/1.1", Set.of()), "IncompleteBody");
  }

  @Test
  void shouldRefuseWhenALineIsEndless() {
    refused(unsigned(5, "5;" + "x".repeat(5000), Set.of()), "IncompleteBody");
  }

  private static AwsChunkedBody unsigned(long length, String framed, Set<String> trailers) {
    return new AwsChunkedBody(RequestBody.of(octets(framed)), length, null, trailers);
  }

  private static AwsChunkedBody signed(long length, String framed, Set<String> trailers) {
    ChunkSigner signer = new ChunkSigner(KEY, STAMP, SCOPE, "seed");
    return new AwsChunkedBody(RequestBody.of(octets(framed)), length, signer, trailers);
  }

  private static void refused(AwsChunkedBody body, String code) {
    assertThatThrownBy(() -> text(body))
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.code().code()).isEqualTo(code));
  }

  private static String text(RequestBody body) throws IOException {
    return new String(body.readAll(1 << 20), StandardCharsets.ISO_8859_1);
  }

  private static byte[] octets(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Signs as a client does. */
  private static final class Chain {
    private String previous = "seed";

    String chunk(String data) {
      return header(data) + data + "\r\n";
    }

    String last() {
      return header("");
    }

    String trailer(String crc) {
      String hash = sha256(CRC + ":" + crc + "\n");
      sign("AWS4-HMAC-SHA256-TRAILER", hash);
      return CRC + ":" + crc + "\r\nx-amz-trailer-signature:" + previous + "\r\n\r\n";
    }

    private String header(String data) {
      sign("AWS4-HMAC-SHA256-PAYLOAD", Crypto.EMPTY_SHA256 + "\n" + sha256(data));
      return Integer.toHexString(data.length()) + ";chunk-signature=" + previous + "\r\n";
    }

    private void sign(String kind, String hashes) {
      String toSign = String.join("\n", kind, STAMP, SCOPE, previous, hashes);
      previous = Crypto.hex(Crypto.hmac(KEY, toSign));
    }

    private static String sha256(String text) {
      return Crypto.hex(Crypto.digest("SHA-256").digest(octets(text)));
    }
  }
}
