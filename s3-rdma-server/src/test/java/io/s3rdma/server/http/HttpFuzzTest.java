package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.rdma.wire.Fuzz;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Only {@link S3Exception} escapes, nothing hangs, and what is right stays right. */
class HttpFuzzTest {
  private static final int ROUNDS = 15_000;
  private static final String KEY = "AKID+TEST/1";
  private static final String SECRET = "secret/of+the=test";
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final SigV4 SIG =
      new SigV4(
          new Credentials(Map.of(KEY, SECRET)), "us-east-1", Clock.fixed(NOW, ZoneOffset.UTC));
  private static final Router ROUTER = Router.builder().build();
  private static final String[] URI_WORDS = {
    "%",
    "%2",
    "%2F",
    "%00",
    "%C3",
    "%C3%A9",
    "%ff",
    "+",
    "//",
    "/../",
    "?",
    "&",
    "=",
    "&&=",
    "http://a/",
    "://",
    "#",
    "?acl",
    "?versionId=",
    "prefix=",
    "%zz",
    "\u00e9"
  };
  private static final String[] SIGNATURE_WORDS = {
    "AWS4-HMAC-SHA256",
    "Credential=",
    "SignedHeaders=",
    "Signature=",
    ",",
    ";",
    "=",
    "/",
    " ",
    "",
    "aws4_request",
    "20260102T030405Z",
    "+9999999991231T000000Z",
    "-1",
    "99999999999999999999",
    "host",
    "x-amz-date",
    "STREAMING-",
    "UNSIGNED-PAYLOAD",
    "us-east-1",
    "s3",
    "%2F",
    "%",
    "&"
  };
  private static final String[] CHUNK_WORDS = {
    "\r\n",
    "\n",
    "\r",
    "0",
    "0\r\n",
    "0\r\n\r\n",
    ";chunk-signature=",
    "ffffffffffffffff",
    "7fffffffffffffff",
    "-1",
    "0x1",
    ":",
    "x-amz-checksum-crc32:",
    "x-amz-trailer-signature:",
    ";"
  };

  @Test
  void shouldSelectWithinTheObjectWhenRangeIsAnything() {
    Fuzz.run(
        "range",
        ROUNDS * 2,
        random -> {
          long size = random.nextBoolean() ? random.nextLong(20) : random.nextLong(1L << 42);
          long first = random.nextLong(size + 3);
          long last = random.nextLong(size + 3);
          String good =
              switch (random.nextInt(3)) {
                case 0 -> "bytes=" + first + "-";
                case 1 -> "bytes=-" + last;
                default -> "bytes=" + first + "-" + last;
              };
          boolean valid = random.nextInt(4) == 0;
          String words = "9223372036854775807";
          String text = valid ? good : Fuzz.mutate(random, good, words, "-", "bytes=", ",", " ");
          try {
            ByteRange range = ByteRange.select(Optional.of(text), size);
            assertThat(range.first()).isNotNegative();
            assertThat(range.length()).isBetween(range.partial() ? 1 : 0L, size - range.first());
            assertThat(range.partial() || range.length() == size).isTrue();
            if (valid && good.endsWith("-")) {
              assertThat(range.first()).isEqualTo(first);
            }
          } catch (S3Exception e) {
            assertThat(e.code()).isEqualTo(S3ErrorCode.INVALID_RANGE);
            assertThat(e.headers().first("content-range")).contains("bytes */" + size);
          }
        });
  }

  @Test
  void shouldRoundTripWhenUriIsEncoded() {
    Fuzz.run(
        "uri",
        ROUNDS,
        random -> {
          String text = Fuzz.text(random, 40);
          assertThat(UriCodec.decode(UriCodec.encode(text, random.nextBoolean()))).isEqualTo(text);
          List<QueryParameters.Parameter> wanted = new ArrayList<>();
          List<String> pairs = new ArrayList<>();
          for (int i = random.nextInt(6); i > 0; i--) {
            String name = "n" + Fuzz.text(random, 8);
            String value = Fuzz.text(random, 8);
            wanted.add(new QueryParameters.Parameter(name, value));
            pairs.add(UriCodec.encode(name, false) + "=" + UriCodec.encode(value, false));
          }
          String query = String.join(Fuzz.one(random, "&", "&&"), pairs);
          assertThat(QueryParameters.parse(query).all()).isEqualTo(wanted);
        });
  }

  @Test
  void shouldThrowOnlyS3ExceptionWhenTargetIsAnything() {
    Fuzz.run(
        "target",
        ROUNDS,
        random -> {
          String good =
              "/bucket/"
                  + UriCodec.encode(Fuzz.text(random, 20), true)
                  + "?prefix=a%20b&uploadId=x";
          String target = Fuzz.mutate(random, good, URI_WORDS);
          try {
            Headers headers =
                Headers.of(
                    "content-length",
                    Fuzz.mutate(random, "123", "-", "999999999999999999"),
                    "x-amz-decoded-content-length",
                    "5",
                    "x-amz-content-sha256",
                    Fuzz.mutate(random, "STREAMING-UNSIGNED-PAYLOAD-TRAILER", "UNSIGNED-PAYLOAD"));
            RequestHead head = RequestHead.of("GET", target, headers, null, "id");
            Router.Target routed = ROUTER.route(head);
            assertThat(routed.key().getBytes(StandardCharsets.UTF_8).length).isLessThan(1025);
            assertThat(routed.bucket()).doesNotContain("\0\0\0\0\0");
            assertThat(head.payloadLength()).isGreaterThanOrEqualTo(-1);
            String path = CanonicalRequest.encodedPath(head);
            assertThat(UriCodec.encode(UriCodec.decode(path), true)).isEqualTo(path);
          } catch (S3Exception e) {
            assertThat(e.code().status()).isBetween(400, 499);
          }
        });
  }

  @Test
  void shouldVerifyOnlyWhatWasSignedWhenHeaderIsMutated() {
    Fuzz.run(
        "sigv4-header",
        ROUNDS / 3,
        random -> {
          Map<String, String> headers = headers(random);
          String target = target(random);
          String authorization = sign(target, headers);
          headers.put("authorization", authorization);
          assertThat(verify(target, headers).identity().accessKey()).isEqualTo(KEY);

          Map<String, String> mutated = new TreeMap<>(headers);
          String name = Fuzz.one(random, "authorization", "x-amz-date", "host", "authorization");
          mutated.merge(name, "", (a, b) -> Fuzz.mutate(random, a, SIGNATURE_WORDS));
          try {
            SigV4.Verified verified = verify(target, mutated);
            // The change was one that does not count, such as a space.
            assertThat(verified.identity().accessKey()).isEqualTo(KEY);
            assertThat(mutated.get(name)).as(name).contains(essence(name, headers.get(name)));
          } catch (S3Exception e) {
            refusal(e);
          }
          otherTarget(random, target, headers);
        });
  }

  private static void otherTarget(
      SplittableRandom random, String target, Map<String, String> headers) {
    String changed = Fuzz.mutate(random, target, URI_WORDS);
    try {
      verify(changed, headers);
      assertThat(canonical(changed)).isEqualTo(canonical(target));
    } catch (S3Exception e) {
      refusal(e);
    }
  }

  @Test
  void shouldVerifyOnlyWhatWasSignedWhenQueryIsMutated() {
    Fuzz.run(
        "sigv4-query",
        ROUNDS / 3,
        random -> {
          RequestSigner signer = new RequestSigner(KEY, SECRET).at(NOW);
          String path = "/bucket/" + UriCodec.encode("k" + Fuzz.text(random, 10), true);
          String good = signer.presigned("GET", path, "600", Headers.EMPTY);
          Map<String, String> host = Map.of("host", "localhost");
          assertThat(verify(good, host).identity().accessKey()).isEqualTo(KEY);
          String changed =
              Fuzz.mutate(random, good, random.nextBoolean() ? URI_WORDS : SIGNATURE_WORDS);
          try {
            verify(changed, host);
            assertThat(canonical(changed)).isEqualTo(canonical(good));
          } catch (S3Exception e) {
            refusal(e);
          }
        });
  }

  @Test
  void shouldGiveTheDataOrRefuseWhenChunksAreMutated() {
    Fuzz.run(
        "aws-chunked",
        ROUNDS / 5,
        random -> {
          boolean isSigned = random.nextBoolean();
          boolean hasTrailer = random.nextBoolean();
          RequestSigner signer = new RequestSigner(KEY, SECRET).at(NOW);
          String unused = signer.head("PUT", "/b/k", Headers.EMPTY);
          String seed = unused.substring(unused.indexOf("Signature=") + 10).trim();
          StringBuilder framed = new StringBuilder();
          StringBuilder data = new StringBuilder();
          for (int i = random.nextInt(5); i > 0; i--) {
            String part = "d".repeat(1 + random.nextInt(40));
            data.append(part);
            framed.append(isSigned ? signer.chunk(part) : hex(part) + "\r\n" + part + "\r\n");
          }
          framed.append(isSigned ? signer.chunk("") : "0\r\n");
          framed.append(trailer(isSigned, hasTrailer, signer));
          Set<String> announced = hasTrailer ? Set.of("x-amz-checksum-crc32") : Set.of();
          String good = framed.toString();
          assertThat(decode(random, good, data.length(), isSigned ? seed : null, announced))
              .isEqualTo(data.toString());

          String bad = Fuzz.mutate(random, good, CHUNK_WORDS);
          try {
            String decoded = decode(random, bad, data.length(), isSigned ? seed : null, announced);
            assertThat(decoded).hasSize(data.length());
            if (isSigned) {
              assertThat(decoded).isEqualTo(data.toString());
            }
          } catch (S3Exception e) {
            assertThat(e.code().status()).isIn(400, 403);
          }
        });
  }

  private static String trailer(boolean isSigned, boolean hasTrailer, RequestSigner signer) {
    if (!hasTrailer) {
      return "\r\n";
    }
    String name = "x-amz-checksum-crc32";
    return isSigned ? signer.trailer(name, "AAAAAA==") : name + ":AAAAAA==\r\n\r\n";
  }

  /**
   * Feeds pieces of random sizes into buffers of random sizes; more reads than octets is a hang.
   */
  private static String decode(
      SplittableRandom random, String framed, int length, String seed, Set<String> announced)
      throws IOException {
    RequestBody raw = RequestBody.of(framed.getBytes(StandardCharsets.ISO_8859_1));
    RequestBody pieces =
        dst -> {
          int limit = dst.limit();
          dst.limit(Math.min(limit, dst.position() + 1 + random.nextInt(50)));
          int count = raw.read(dst);
          dst.limit(limit);
          return count;
        };
    byte[] key = Crypto.signingKey(SECRET, "20260102", "us-east-1", "s3");
    ChunkSigner signer =
        seed == null
            ? null
            : new ChunkSigner(key, "20260102T030405Z", "20260102/us-east-1/s3/aws4_request", seed);
    AwsChunkedBody body = new AwsChunkedBody(pieces, length, signer, announced);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteBuffer buffer = ByteBuffer.allocate(1 + random.nextInt(64));
    int reads = 0;
    while (body.read(buffer.clear()) >= 0) {
      out.write(buffer.array(), 0, buffer.position());
      assertThat(++reads).as("reads").isLessThan(framed.length() + 2);
    }
    return out.toString(StandardCharsets.ISO_8859_1);
  }

  private static String hex(String part) {
    return Integer.toHexString(part.length());
  }

  private static Map<String, String> headers(SplittableRandom random) {
    Map<String, String> headers = new TreeMap<>();
    headers.put("host", "localhost:" + random.nextInt(65_536));
    headers.put("x-amz-date", "20260102T030405Z");
    headers.put("x-amz-content-sha256", Fuzz.one(random, "UNSIGNED-PAYLOAD", Crypto.EMPTY_SHA256));
    if (random.nextBoolean()) {
      headers.put("x-amz-meta-a", "a " + random.nextInt() + "  b");
    }
    return headers;
  }

  private static String target(SplittableRandom random) {
    return "/bucket/"
        + UriCodec.encode("k" + Fuzz.text(random, 12), true)
        + Fuzz.one(random, "", "?acl", "?prefix=a%20b&list-type=2", "?b&a=%2B+");
  }

  private static String sign(String target, Map<String, String> headers) {
    RequestHead head = head(target, headers);
    List<String> names = List.copyOf(new TreeSet<>(headers.keySet()));
    String payload = headers.get("x-amz-content-sha256");
    String hash = CanonicalRequest.sha256(head, CanonicalRequest.encodedPath(head), names, payload);
    String scope = "20260102/us-east-1/s3/aws4_request";
    byte[] key = Crypto.signingKey(SECRET, "20260102", "us-east-1", "s3");
    String toSign = String.join("\n", SigV4.ALGORITHM, "20260102T030405Z", scope, hash);
    return SigV4.ALGORITHM
        + " Credential="
        + (KEY + "/" + scope)
        + ", SignedHeaders="
        + String.join(";", names)
        + ", Signature="
        + Crypto.hex(Crypto.hmac(key, toSign));
  }

  private static SigV4.Verified verify(String target, Map<String, String> headers) {
    return SIG.verify(head(target, headers));
  }

  private static RequestHead head(String target, Map<String, String> headers) {
    Headers.Builder builder = Headers.builder();
    headers.forEach(builder::add);
    return RequestHead.of("GET", target, builder.build(), null, "id");
  }

  /** Path and query as far as a signature covers them. */
  private static String canonical(String target) {
    RequestHead head = head(target, Map.of());
    return CanonicalRequest.text(head, CanonicalRequest.encodedPath(head), List.of(), "");
  }

  /** What of a header no harmless change can have removed. */
  private static String essence(String name, String value) {
    return name.equals("authorization")
        ? value.substring(value.length() - 64)
        : name.equals("host") ? value.trim() : value.substring(0, 8);
  }

  private static void refusal(S3Exception e) {
    assertThat(e.code().status()).isBetween(400, 499);
    assertThat(String.valueOf(e.getMessage())).doesNotContain(SECRET);
  }
}
