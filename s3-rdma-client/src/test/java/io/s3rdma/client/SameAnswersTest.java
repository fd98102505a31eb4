package io.s3rdma.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.client.transport.Grant;
import io.s3rdma.client.transport.RawPeer;
import io.s3rdma.client.transport.RawPeer.Answer;
import io.s3rdma.rdma.HostBuffer;
import io.s3rdma.rdma.LiveObjects;
import io.s3rdma.rdma.TransferRight;
import io.s3rdma.rdma.wire.RdmaHeaders;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every request answers the same with and without a token: status, headers and bytes, but for what
 * says how the bytes travelled. Written once, run on the fake and on Soft-RoCE.
 */
@Tag("device")
final class SameAnswersTest {
  private static final int PART = SameAnswersCases.PART;
  private static final int ROOM = 2 * PART;
  private static final String BASE = "/" + Lab.BUCKET + "/";

  /** Of this very answer, or of the way that the bytes took. */
  private static final Set<String> EXCEPT =
      Set.of(
          "date",
          "x-amz-request-id",
          "content-length",
          RdmaHeaders.REPLY,
          RdmaHeaders.BYTES_TRANSFERRED,
          RdmaHeaders.EVIDENCE);

  private static final Charset US_ASCII = StandardCharsets.US_ASCII;
  private static final Charset LATIN_1 = StandardCharsets.ISO_8859_1;

  private static LiveObjects before;
  private static Lab lab;
  private static RawPeer peer;
  private static HostBuffer buffer;
  private static String etag;
  private static String upload;
  private static String theirUpload;
  private static String older;
  private static String marker;

  @BeforeAll
  static void start() throws Exception {
    before = Lab.live();
    lab = new Lab();
    peer = new RawPeer(lab.endpoint(), Lab.ACCESS_KEY, Lab.SECRET_KEY);
    buffer = HostBuffer.allocate(ROOM);
    Map<String, String> headers = new HashMap<>();
    headers.put("content-type", "text/plain");
    headers.put("cache-control", "no-cache");
    headers.put("x-amz-meta-name", "value");
    headers.put("x-amz-tagging", "a=1&b=2");
    byte[] content = SameAnswersCases.content(100_000);
    headers.put("x-amz-checksum-crc32", SameAnswersCases.crc32(content));
    etag =
        peer.send("PUT", BASE + "plain", headers, Map.of(), content).header("etag").orElseThrow();
    peer.send("PUT", BASE + "empty", Map.of(), Map.of(), new byte[0]);
    peer.send(
        "PUT", BASE + "ours", Map.of("x-amz-server-side-encryption", "AES256"), Map.of(), content);
    peer.send(
        "PUT",
        BASE + "theirs",
        map(
            List.of(
                SameAnswersCases.keyed(
                    "", "x-amz-checksum-crc32", SameAnswersCases.crc32(content)))),
        Map.of(),
        content);
    multipart("multi", Map.of());
    multipart("theirmulti", map(List.of(SameAnswersCases.keyed(""))));
    upload = created("target", Map.of());
    theirUpload = created("theirs", map(List.of(SameAnswersCases.keyed(""))));
    versions();
    policed();
  }

  /** Two parts, the second one short. */
  private static void multipart(String key, Map<String, String> headers) throws IOException {
    String id = created(key, headers);
    StringBuilder document = new StringBuilder("<CompleteMultipartUpload>");
    for (int number = 1; number <= 2; number++) {
      String target = BASE + key + "?partNumber=" + number + "&uploadId=" + id;
      byte[] part = SameAnswersCases.content(number == 1 ? PART : 1000);
      String tag = peer.send("PUT", target, headers, Map.of(), part).header("etag").orElseThrow();
      document.append(
          "<Part><PartNumber>%d</PartNumber><ETag>%s</ETag></Part>".formatted(number, tag));
    }
    byte[] body = document.append("</CompleteMultipartUpload>").toString().getBytes(US_ASCII);
    Answer done = peer.send("POST", BASE + key + "?uploadId=" + id, Map.of(), Map.of(), body);
    assertThat(done.status()).isEqualTo(200);
  }

  /** Two versions of one key, and a key that a delete marker hides. */
  private static void versions() throws IOException {
    byte[] enabled =
        "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
            .getBytes(US_ASCII);
    peer.send("PUT", "/versions", Map.of(), Map.of(), new byte[0]);
    Answer set = peer.send("PUT", "/versions?versioning", Map.of(), Map.of(), enabled);
    assertThat(set.status()).isEqualTo(200);
    older =
        version(
            peer.send("PUT", "/versions/key", Map.of(), Map.of(), SameAnswersCases.content(7000)));
    peer.send("PUT", "/versions/key", Map.of(), Map.of(), SameAnswersCases.content(20_000));
    peer.send("PUT", "/versions/gone", Map.of(), Map.of(), SameAnswersCases.content(9));
    marker = version(peer.send("DELETE", "/versions/gone", Map.of(), Map.of(), new byte[0]));
  }

  /** A bucket whose policy denies even its owner. */
  private static void policed() throws IOException {
    String policy =
        """
        {"Statement":[{"Effect":"Deny","Principal":"*","Action":["s3:GetObject","s3:PutObject"],
          "Resource":"arn:aws:s3:::policed/closed*"},
         {"Effect":"Deny","Principal":"*","Action":"s3:GetObject","Resource":"arn:aws:s3:::policed/*",
          "Condition":{"StringEquals":{"s3:ExistingObjectTag/secret":"yes"}}}]}
        """;
    peer.send("PUT", "/policed", Map.of(), Map.of(), new byte[0]);
    peer.send("PUT", "/policed/open", Map.of(), Map.of(), SameAnswersCases.content(9));
    peer.send("PUT", "/policed/closed", Map.of(), Map.of(), SameAnswersCases.content(9));
    Map<String, String> secret = Map.of("x-amz-tagging", "secret=yes");
    peer.send("PUT", "/policed/secret", secret, Map.of(), SameAnswersCases.content(9));
    Answer set = peer.send("PUT", "/policed?policy", Map.of(), Map.of(), policy.getBytes(US_ASCII));
    assertThat(set.status()).isEqualTo(204);
  }

  private static String version(Answer answer) {
    return answer.header("x-amz-version-id").orElseThrow();
  }

  private static String created(String key, Map<String, String> with) throws IOException {
    Map<String, String> headers = new HashMap<>(with);
    headers.put("x-amz-checksum-algorithm", "CRC32");
    String body = peer.send("POST", BASE + key + "?uploads", headers, Map.of(), new byte[0]).body();
    return body.substring(body.indexOf("<UploadId>") + 10, body.indexOf("</UploadId>"));
  }

  @AfterAll
  static void stop() throws Exception {
    buffer.close();
    peer.close();
    lab.close();
    assertThat(Lab.live()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("io.s3rdma.client.SameAnswersCases#reads")
  void shouldAnswerTheSameWhenReading(String target, int status, List<String> headers)
      throws IOException {
    String path = path(target);
    Map<String, String> signed = map(headers);
    Answer plain = peer.send("GET", path, signed, Map.of(), new byte[0]);
    MemorySegment memory = buffer.segment().fill((byte) 0x5a);
    Grant grant = peer.transport().grant(buffer, ROOM, TransferRight.REMOTE_WRITE);
    signed.put(RdmaHeaders.TOKEN, grant.mint());
    Answer moved = peer.send("GET", path, signed, Map.of(), new byte[0]);
    grant.settle(true);

    assertThat(plain.status()).isEqualTo(status);
    int bytes = requireSame(plain, moved);
    String got = new String(memory.asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE), LATIN_1);
    assertThat(got.equals(bytes > 0 ? plain.body() : "")).as("the same bytes").isTrue();
    assertThat(memory.asSlice(bytes).elements(ValueLayout.JAVA_BYTE).limit(10_000))
        .as("nothing behind them")
        .allMatch(octet -> octet.get(ValueLayout.JAVA_BYTE, 0) == 0x5a);
  }

  /** The number of bytes that went by RDMA. */
  private static int requireSame(Answer plain, Answer moved) {
    assertThat(moved.status()).isEqualTo(plain.status());
    assertThat(comparable(moved)).isEqualTo(comparable(plain));
    if (plain.status() / 100 != 2) {
      assertThat(moved.header(RdmaHeaders.REPLY)).as("P-1.2").isEmpty();
      assertThat(withoutIds(moved.body())).isEqualTo(withoutIds(plain.body()));
      return 0;
    }
    // P-1.3, P-1.10, P-1.11
    assertThat(moved.header(RdmaHeaders.REPLY)).contains(Integer.toString(plain.status()));
    assertThat(moved.body()).isEmpty();
    return Integer.parseInt(moved.header(RdmaHeaders.BYTES_TRANSFERRED).orElseThrow());
  }

  private static Map<String, List<String>> comparable(Answer answer) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(answer.headers());
    headers.keySet().removeAll(EXCEPT);
    return headers;
  }

  private static String withoutIds(String document) {
    return document.replaceAll("<RequestId>.*</RequestId>", "");
  }

  /** P-1.13: a HEAD moves nothing, and takes no notice of a token. */
  @ParameterizedTest
  @MethodSource("io.s3rdma.client.SameAnswersCases#reads")
  void shouldIgnoreTokenWhenHeadIsAsked(String target, int status, List<String> headers)
      throws IOException {
    String path = path(target);
    Map<String, String> signed = map(headers);
    Answer plain = peer.send("HEAD", path, signed, Map.of(), new byte[0]);
    Grant grant = peer.transport().grant(buffer, ROOM, TransferRight.REMOTE_WRITE);
    signed.put(RdmaHeaders.TOKEN, grant.mint());
    Answer tokened = peer.send("HEAD", path, signed, Map.of(), new byte[0]);
    grant.settle(true);

    assertThat(plain.status()).isEqualTo(status);
    assertThat(tokened.status()).isEqualTo(status);
    assertThat(comparable(tokened)).isEqualTo(comparable(plain));
    assertThat(tokened.header("content-length")).isEqualTo(plain.header("content-length"));
    assertThat(tokened.header(RdmaHeaders.REPLY)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("io.s3rdma.client.SameAnswersCases#writes")
  void shouldAnswerTheSameWhenWriting(String target, int status, List<String> headers)
      throws Exception {
    byte[] content = SameAnswersCases.content(70_001);
    String path = path(target);
    if (target.startsWith("put")) {
      peer.send("PUT", path, Map.of(), Map.of(), SameAnswersCases.content(3));
    }
    Map<String, String> signed = map(headers);
    signed.computeIfPresent(
        "x-amz-checksum-crc32", (_, v) -> v.replace("CRC32", SameAnswersCases.crc32(content)));
    // With it both have the MD5 for an ETag.
    signed.putIfAbsent("content-md5", SameAnswersCases.md5(content));
    Answer plain = peer.send("PUT", path, signed, Map.of(), content);
    Map<String, List<String>> after = state(target, headers);
    MemorySegment.copy(content, 0, buffer.segment(), ValueLayout.JAVA_BYTE, 0, content.length);
    Grant grant = peer.transport().grant(buffer, content.length, TransferRight.REMOTE_READ);
    signed.put(RdmaHeaders.TOKEN, grant.mint());
    Answer moved = peer.send("PUT", path, signed, Map.of(), new byte[0]);
    grant.settle(true);

    assertThat(plain.status()).isEqualTo(status);
    assertThat(moved.header("x-amz-version-id").isPresent())
        .isEqualTo(plain.header("x-amz-version-id").isPresent());
    int bytes = requireSame(withoutVersion(plain), withoutVersion(moved));
    assertThat(bytes).isEqualTo(status == 200 ? content.length : 0);
    assertThat(state(target, headers)).isEqualTo(after);
  }

  /** Each write makes a version of its own. */
  private static Answer withoutVersion(Answer answer) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(answer.headers());
    headers.remove("x-amz-version-id");
    return new Answer(answer.status(), headers, answer.body());
  }

  /** What a reader sees of the object, but for its time. */
  private static Map<String, List<String>> state(String target, List<String> written)
      throws IOException {
    if (!target.startsWith("put")) {
      return Map.of();
    }
    Map<String, String> mode = map(written);
    mode.keySet().removeIf(name -> !name.startsWith("x-amz-server-side-encryption-customer"));
    mode.put("x-amz-checksum-mode", "ENABLED");
    Answer head = peer.send("HEAD", BASE + target, mode, Map.of(), new byte[0]);
    Map<String, List<String>> headers = comparable(head);
    headers.remove("last-modified");
    return headers;
  }

  /** A part that went by RDMA and one that went by HTTP make one object. */
  @Test
  void shouldMakeOneObjectWhenPartsTravelBothWays() throws IOException {
    String id = created("mixed", Map.of());
    byte[] content = SameAnswersCases.content(PART);
    MemorySegment.copy(content, 0, buffer.segment(), ValueLayout.JAVA_BYTE, 0, PART);
    Grant grant = peer.transport().grant(buffer, PART, TransferRight.REMOTE_READ);
    String target = BASE + "mixed?uploadId=" + id + "&partNumber=";
    Answer first = peer.withToken("PUT", target + 1, grant.mint());
    grant.settle(true);
    Answer second = peer.send("PUT", target + 2, Map.of(), Map.of(), SameAnswersCases.content(9));
    String document =
        "<CompleteMultipartUpload>"
            + "<Part><PartNumber>1</PartNumber><ETag>%s</ETag></Part>"
                .formatted(first.header("etag").orElseThrow())
            + "<Part><PartNumber>2</PartNumber><ETag>%s</ETag></Part>"
                .formatted(second.header("etag").orElseThrow())
            + "</CompleteMultipartUpload>";

    Answer done =
        peer.send(
            "POST", BASE + "mixed?uploadId=" + id, Map.of(), Map.of(), document.getBytes(US_ASCII));
    Answer got = peer.send("GET", BASE + "mixed", Map.of(), Map.of(), new byte[0]);

    assertThat(first.header(RdmaHeaders.REPLY)).contains("200");
    assertThat(first.header("x-amz-checksum-crc32")).contains(SameAnswersCases.crc32(content));
    assertThat(done.status()).isEqualTo(200);
    assertThat(got.body().length()).isEqualTo(PART + 9);
    assertThat(got.body().startsWith(new String(content, LATIN_1))).isTrue();
    assertThat(got.body().endsWith(new String(SameAnswersCases.content(9), LATIN_1))).isTrue();
  }

  /** In the lab's bucket, or with two dots in front in another. */
  private static String path(String target) {
    String path = target.startsWith("../") ? target.substring(2) : BASE + target;
    return path.replace("=ID", "=" + upload)
        .replace("=THEIRS", "=" + theirUpload)
        .replace("=OLDER", "=" + older)
        .replace("=MARKER", "=" + marker);
  }

  private static Map<String, String> map(List<String> namesAndValues) {
    Map<String, String> headers = new HashMap<>();
    for (int i = 0; i < namesAndValues.size(); i += 2) {
      headers.put(namesAndValues.get(i), namesAndValues.get(i + 1).replace("ETAG", etag));
    }
    return headers;
  }
}
