package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings as they stand on the wire, where the SDK hides what it decodes and asks again. */
class RawListIT {
  private static final List<String> FOLDERS = List.of("a/1", "a/2", "b/1", "b/2", "c/1");

  @TempDir static Path directory;
  private static TestServer server;
  private static RawClient client;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    client = new RawClient(server.port(), TestServer.ACCESS_KEY, TestServer.SECRET_KEY);
    bucket("folders", FOLDERS.toArray(String[]::new));
    bucket(
        "odd", "foo%2B1/bar", "foo/bar/xyzzy", "quux%20ab/thud", "asdf%2Bb", "50%25off", "x%0Ay");
    bucket("flat", "a", "a/", "a/b", "a//b", "a/b/c");
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    server.close();
  }

  /** Issue list 22, and decision 10. */
  @ParameterizedTest
  @ValueSource(strings = {"", "list-type=2&"})
  void shouldEncodeWhenAsked(String version) throws IOException {
    Answer answer = get("/odd?" + version + "encoding-type=url&delimiter=%2F");

    assertThat(texts(answer, "Key")).containsExactly("50%25off", "asdf%2Bb", "x%0Ay");
    assertThat(prefixes(answer)).containsExactly("foo%2B1/", "foo/", "quux%20ab/");
    assertThat(texts(answer, "EncodingType")).containsExactly("url");
    assertThat(texts(answer, "Delimiter")).containsExactly("/");
    assertThat(texts(get("/odd?" + version + "prefix=50"), "Key")).containsExactly("50%off");
    assertThat(texts(get("/odd?" + version + "prefix=x"), "Key")).containsExactly("x\ny");
    assertThat(get("/odd?" + version + "encoding-type=base64").status()).isEqualTo(400);
  }

  /** 23: a client that goes on until there is no next marker comes to an end, page by page. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void shouldEndWhenPagesHoldPrefixesOnly(int max) throws IOException {
    for (boolean second : new boolean[] {false, true}) {
      List<String> found = new ArrayList<>();
      int calls = 0;
      String next = "";
      while (next != null) {
        String from = second ? "&list-type=2&continuation-token=" : "&marker=";
        Answer page = get("/folders?delimiter=%2F&max-keys=" + max + from + next);
        found.addAll(prefixes(page));
        assertThat(prefixes(page)).hasSizeLessThanOrEqualTo(max);
        List<String> markers = texts(page, second ? "NextContinuationToken" : "NextMarker");
        assertThat(texts(page, "IsTruncated"))
            .containsExactly(markers.isEmpty() ? "false" : "true");
        if (second) {
          assertThat(texts(page, "KeyCount"))
              .containsExactly(Integer.toString(prefixes(page).size()));
        }
        next = markers.isEmpty() ? null : markers.get(0).replace("/", "%2F");
        calls++;
      }
      assertThat(found).containsExactly("a/", "b/", "c/");
      assertThat(calls).isEqualTo((3 + max - 1) / max);
    }
  }

  /** 23: it stands on every page but the last, also without a delimiter. */
  @Test
  void shouldTellNextMarkerWhenThereIsNoDelimiter() throws IOException {
    assertThat(texts(get("/folders?max-keys=2"), "NextMarker")).containsExactly("a/2");
    assertThat(texts(get("/folders?max-keys=2&marker=b/1"), "NextMarker")).isEmpty();
    assertThat(texts(get("/folders"), "NextMarker")).isEmpty();
  }

  /** 23: also where a client that knows no NextMarker goes on behind the last key. */
  @Test
  void shouldGoOnWhenMarkerIsAKeyAPrefixOrNothingThere() throws IOException {
    assertThat(texts(get("/folders?marker=a/2"), "Key")).containsExactly("b/1", "b/2", "c/1");
    assertThat(texts(get("/folders?marker=a"), "Key")).hasSize(5);
    assertThat(texts(get("/folders?marker=a/1z"), "Key")).hasSize(4);
    assertThat(texts(get("/folders?marker=zzz"), "Key")).isEmpty();
    assertThat(prefixes(get("/folders?delimiter=/&marker=a/"))).containsExactly("b/", "c/");
    assertThat(prefixes(get("/folders?delimiter=/&marker=a/1"))).containsExactly("a/", "b/", "c/");
    assertThat(texts(get("/folders?list-type=2&start-after=b/1"), "Key"))
        .containsExactly("b/2", "c/1");
    assertThat(texts(get("/folders?marker=a/2"), "Marker")).containsExactly("a/2");
  }

  /** 24. */
  @ParameterizedTest
  @ValueSource(strings = {"", "list-type=2&", "versions&"})
  void shouldAnswerEmptyWhenPrefixIsNotThere(String version) throws IOException {
    Answer answer = get("/folders?" + version + "prefix=zzz/&delimiter=/");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(texts(answer, "Key")).isEmpty();
    assertThat(prefixes(answer)).isEmpty();
    assertThat(texts(answer, "IsTruncated")).containsExactly("false");
  }

  /** 24. */
  @ParameterizedTest
  @ValueSource(strings = {"", "list-type=2&", "versions&"})
  void shouldTellAllOfAnObjectWhenListed(String version) throws IOException {
    Answer answer = get("/folders?" + version);

    for (String element : List.of("Key", "ETag", "Size", "LastModified", "StorageClass")) {
      assertThat(texts(answer, element)).hasSize(5).doesNotContain("");
    }
    assertThat(texts(answer, "ETag").get(0)).matches("&quot;[0-9a-f]{32}&quot;");
  }

  /** 25: {@code a} and {@code a/b} are two objects. */
  @Test
  void shouldKeepOthersWhenOneKeyBeginsAnother() throws IOException {
    assertThat(texts(get("/flat"), "Key")).containsExactly("a", "a/", "a//b", "a/b", "a/b/c");
    Answer top = get("/flat?delimiter=/");
    assertThat(texts(top, "Key")).containsExactly("a");
    assertThat(prefixes(top)).containsExactly("a/");
    Answer inside = get("/flat?delimiter=/&prefix=a/");
    assertThat(texts(inside, "Key")).containsExactly("a/", "a/b");
    assertThat(prefixes(inside)).containsExactly("a//", "a/b/");

    request("DELETE", "/flat/a", 204);
    assertThat(texts(get("/flat"), "Key")).containsExactly("a/", "a//b", "a/b", "a/b/c");
    put("/flat/a");
  }

  /** 26. */
  @ParameterizedTest
  @CsvSource({
    "a, 'bar,baz,cab,foo', foo, 'ba,ca'",
    "., 'b.ar,b.az,c.ab,foo', foo, 'b.,c.'",
    "%25, 'b%25ar,b%25az,c%25ab,foo', foo, 'b%,c%'",
    "%20, 'b%20ar,b%20az,c%20ab,foo', foo, 'b ,c '",
    "%C3%BC, 'x%C3%BCy,x%C3%BCz,foo', foo, 'xü'",
    "ar, 'bar,bara,foo', foo, 'bar'"
  })
  void shouldRollUpWhenDelimiterIsAnyText(String delimiter, String keys, String rest, String rolled)
      throws IOException {
    String bucket = "delimiter-" + Integer.toHexString(delimiter.hashCode());
    bucket(bucket, keys.split(","));

    Answer answer = get("/" + bucket + "?delimiter=" + delimiter);

    assertThat(texts(answer, "Key")).containsExactly(rest);
    assertThat(prefixes(answer)).containsExactly(rolled.split(","));
  }

  @Test
  void shouldRefuseWhenNumberOrTokenIsWrong() throws IOException {
    assertThat(get("/folders?max-keys=blah").status()).isEqualTo(400);
    assertThat(get("/folders?max-keys=-1").status()).isEqualTo(400);
    assertThat(get("/folders?list-type=2&continuation-token=bad").status()).isEqualTo(400);
    assertThat(get("/folders?versions&version-id-marker=x").status()).isEqualTo(400);
    assertThat(get("/?max-buckets=0").status()).isEqualTo(400);
    Answer none = get("/folders?max-keys=0");
    assertThat(texts(none, "IsTruncated")).containsExactly("false");
    assertThat(texts(none, "Key")).isEmpty();
  }

  @Test
  void shouldPageWhenBucketsAreMany() throws IOException {
    bucket("paged-1");
    bucket("paged-2");
    bucket("paged-3");

    Answer first = get("/?prefix=paged-&max-buckets=2");
    String token = texts(first, "ContinuationToken").get(0);
    Answer second = get("/?prefix=paged-&max-buckets=2&continuation-token=" + token);

    assertThat(names(first)).containsExactly("paged-1", "paged-2");
    assertThat(names(second)).containsExactly("paged-3");
    assertThat(texts(second, "ContinuationToken")).isEmpty();
    assertThat(texts(first, "Prefix")).containsExactly("paged-");
  }

  private static void bucket(String name, String... rawKeys) throws IOException {
    put("/" + name);
    for (String key : rawKeys) {
      put("/" + name + "/" + key);
    }
  }

  private static void put(String target) throws IOException {
    client.sendHead("PUT", target, Headers.of("content-length", "0"), Headers.EMPTY);
    assertThat(client.receive().status()).isEqualTo(200);
  }

  private static void request(String method, String target, int status) throws IOException {
    client.sendHead(method, target, Headers.EMPTY, Headers.EMPTY);
    assertThat(client.receive().status()).isEqualTo(status);
  }

  private static Answer get(String target) throws IOException {
    client.sendHead("GET", target, Headers.EMPTY, Headers.EMPTY);
    return client.receive();
  }

  private static List<String> names(Answer answer) {
    return texts(answer, "Name");
  }

  /** Of the common prefixes; the listing's own prefix stands outside of them. */
  private static List<String> prefixes(Answer answer) {
    return find(answer, "<CommonPrefixes><Prefix>([^<]*)</Prefix>");
  }

  private static List<String> texts(Answer answer, String element) {
    return find(answer, "<" + element + ">([^<]*)</" + element + ">");
  }

  private static List<String> find(Answer answer, String pattern) {
    List<String> found = new ArrayList<>();
    Matcher matcher = Pattern.compile(pattern).matcher(answer.body());
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }
}
