package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.RawClient;
import io.s3rdma.server.http.RawClient.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What canned ACLs open to requests without a signature, where the configuration lets them. */
class RawAclIT {
  private static final String VERSIONING =
      "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>";

  @TempDir static Path directory;
  private static TestServer server;
  private static RawClient client;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory, Map.of("auth.allow-anonymous", true));
    client = new RawClient(server.port(), TestServer.ACCESS_KEY, TestServer.SECRET_KEY);
  }

  @AfterAll
  static void stop() throws IOException {
    client.close();
    server.close();
  }

  @Test
  void shouldOpenWhatTheAclSaysWhenNobodySigned() throws IOException {
    signed("PUT", "/open", "", Headers.of("x-amz-acl", "public-read"));
    signed("PUT", "/open/shown", "", Headers.EMPTY);
    signed("PUT", "/open/hidden", "", Headers.EMPTY);
    signed("PUT", "/open/shown?acl", "", Headers.of("x-amz-acl", "public-read"));

    assertThat(unsigned("GET", "/open").status()).isEqualTo(200);
    assertThat(unsigned("GET", "/open/shown").status()).isEqualTo(200);
    assertThat(unsigned("GET", "/open/hidden").status()).isEqualTo(403);
    assertThat(unsigned("GET", "/open/missing").status()).isEqualTo(404);
    assertThat(unsigned("GET", "/open?acl").status()).isEqualTo(403);
    assertThat(unsigned("GET", "/open/shown?tagging").status()).isEqualTo(403);
    assertThat(unsigned("DELETE", "/open/shown").status()).isEqualTo(403);
    signed("PUT", "/open?acl", "", Headers.of("x-amz-acl", "private"));
    assertThat(unsigned("GET", "/open").status()).isEqualTo(403);
    assertThat(unsigned("GET", "/open/shown").status()).isEqualTo(200);
  }

  @Test
  void shouldOpenOneVersionOnlyWhenItsAclSaysSo() throws IOException {
    signed("PUT", "/versions", "", Headers.of("x-amz-acl", "public-read-write"));
    signed("PUT", "/versions?versioning", VERSIONING, Headers.EMPTY);
    signed("PUT", "/versions/k", "", Headers.EMPTY);
    String old = versionOf("/versions");
    signed("PUT", "/versions/k", "", Headers.EMPTY);
    signed("PUT", "/versions/k?acl", "", Headers.of("x-amz-acl", "public-read"));

    assertThat(unsigned("GET", "/versions/k").status()).isEqualTo(200);
    assertThat(unsigned("GET", "/versions/k?versionId=" + old).status()).isEqualTo(403);
    assertThat(unsigned("DELETE", "/versions/k?versionId=" + old).status()).isEqualTo(403);
    Answer many =
        unsignedPost(
            "/versions?delete",
            "<Delete><Object><Key>k</Key><VersionId>" + old + "</VersionId></Object></Delete>");
    assertThat(many.body()).contains("<Code>AccessDenied</Code>");
    assertThat(unsigned("DELETE", "/versions/k").status()).isEqualTo(204);
    assertThat(versionOf("/versions")).isNotEqualTo(old);
  }

  private static String versionOf(String bucket) throws IOException {
    client.sendHead("GET", bucket + "?versions", Headers.EMPTY, Headers.EMPTY);
    Matcher found = Pattern.compile("<VersionId>([^<]+)<").matcher(client.receive().body());
    assertThat(found.find()).isTrue();
    return found.group(1);
  }

  private static void signed(String method, String target, String body, Headers headers)
      throws IOException {
    Headers all = headers.with("content-length", Integer.toString(body.length()));
    client.sendHead(method, target, all, Headers.EMPTY);
    client.send(body);
    assertThat(client.receive().status()).isEqualTo(200);
  }

  private static Answer unsigned(String method, String target) throws IOException {
    client.send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    return client.receive();
  }

  private static Answer unsignedPost(String target, String body) throws IOException {
    client.send(
        "POST "
            + target
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
    return client.receive();
  }
}
