package io.s3rdma.server.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.s3rdma.rdma.wire.DeclineReason;
import io.s3rdma.server.document.LifecycleRules;
import io.s3rdma.server.http.Access;
import io.s3rdma.server.http.CancelSignal;
import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.Identity;
import io.s3rdma.server.http.RequestBody;
import io.s3rdma.server.http.RequestHead;
import io.s3rdma.server.http.S3ErrorCode;
import io.s3rdma.server.http.S3Exception;
import io.s3rdma.server.http.S3Request;
import io.s3rdma.server.http.S3Response;
import io.s3rdma.server.store.BucketMeta.Versioning;
import io.s3rdma.server.store.LocalStore;
import io.s3rdma.server.store.ObjectMeta;
import io.s3rdma.server.store.ObjectRef;
import io.s3rdma.server.store.StoreConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads and copies of versions over the real store. */
class VersionsTest {
  private static final String VERSION = "x-amz-version-id";
  private static final String MARKER = "x-amz-delete-marker";
  private static final String SOURCE = "x-amz-copy-source";

  @TempDir Path directory;
  private LocalStore store;
  private GetFlow gets;
  private PutFlow puts;
  private CopyFlow copies;

  @BeforeEach
  void open() throws IOException {
    store =
        new LocalStore(
            new StoreConfig(
                directory, StoreConfig.Durability.NONE, 0, 1024, 0, Map.of(), 0, 1 << 30));
    store.createBucket("bucket", "owner");
    RdmaPath rdma = RdmaPath.none(DeclineReason.NO_DEVICE, FlowLab.settings(false));
    Encryption encryption = new Encryption(store, false);
    gets = new GetFlow(store, encryption, rdma);
    puts = new PutFlow(store, encryption, new Intake(1 << 20, rdma));
    copies = new CopyFlow(store, encryption);
  }

  @AfterEach
  void close() throws IOException {
    store.close();
  }

  @Test
  void shouldTellVersionsWhenBucketHasThem() throws IOException {
    String none = put("plain");
    versioning(Versioning.ENABLED);
    String first = put("first");
    String second = put("second");

    assertThat(none).isEmpty();
    assertThat(first).isNotEmpty().isNotEqualTo(second);
    requireRead("", second, 6);
    requireRead("?versionId=" + first, first, 5);
    requireRead("?versionId=null", "null", 5);
    versioning(Versioning.SUSPENDED);
    assertThat(put("suspended")).isEmpty();
    requireRead("", "null", 9);
    requireRead("?versionId=" + second, second, 6);
  }

  private void requireRead(String query, String version, long length) throws IOException {
    for (String method : new String[] {"GET", "HEAD"}) {
      S3Response answer = read(method, query);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.headers().first(VERSION)).contains(version);
      assertThat(answer.body().length()).isEqualTo(length);
      answer.discard();
    }
  }

  @Test
  void shouldTellOfMarkerWhenKeyIsDeleted() throws IOException {
    versioning(Versioning.ENABLED);
    String version = put("first");
    String marker = store.delete(ObjectRef.current("bucket", "key")).versionId();

    for (String method : new String[] {"GET", "HEAD"}) {
      S3Exception hidden = refused(method, "");
      assertThat(hidden.code()).isEqualTo(S3ErrorCode.NO_SUCH_KEY);
      assertThat(hidden.headers().first(MARKER)).contains("true");
      assertThat(hidden.headers().first(VERSION)).contains(marker);
      S3Exception named = refused(method, "?versionId=" + marker);
      assertThat(named.code()).isEqualTo(S3ErrorCode.METHOD_NOT_ALLOWED);
      assertThat(named.headers().first(MARKER)).contains("true");
      assertThat(named.headers().first(VERSION)).contains(marker);
      assertThat(named.headers().first("allow")).contains("DELETE");
      assertThat(refused(method, "?versionId=other").code()).isEqualTo(S3ErrorCode.NO_SUCH_VERSION);
    }
    requireRead("?versionId=" + version, version, 5);
  }

  @Test
  void shouldTellOfNoMarkerWhenKeyNeverWas() {
    S3Exception missing = refused("HEAD", "");

    assertThat(missing.code()).isEqualTo(S3ErrorCode.NO_SUCH_KEY);
    assertThat(missing.headers().first(MARKER)).contains("false");
    assertThat(missing.headers().contains(VERSION)).isFalse();
  }

  @Test
  void shouldTellOfExpiryWhenItIsTheCurrentVersion() throws IOException {
    versioning(Versioning.ENABLED);
    String first = put("first");
    store.updateBucket(
        "bucket",
        meta ->
            meta.withSetting(
                LifecycleRules.SETTING,
                "<LifecycleConfiguration><Rule><ID>old</ID><Status>Enabled</Status>"
                    + "<Filter><Prefix>k</Prefix></Filter><Expiration><Days>3</Days></Expiration>"
                    + "</Rule></LifecycleConfiguration>"));

    S3Response second = puts.handle(request("PUT", "", "second"));

    assertThat(second.headers().first("x-amz-expiration").orElse(""))
        .startsWith("expiry-date=")
        .contains("rule-id=\"old\"");
    for (String method : new String[] {"GET", "HEAD"}) {
      S3Response current = read(method, "");
      S3Response older = read(method, "?versionId=" + first);
      assertThat(current.headers().first("x-amz-expiration"))
          .isEqualTo(second.headers().first("x-amz-expiration"));
      assertThat(older.headers().contains("x-amz-expiration")).isFalse();
      current.discard();
      older.discard();
    }
  }

  @Test
  void shouldCopyVersionWhenSourceNamesOne() throws IOException {
    versioning(Versioning.ENABLED);
    String first = put("first");
    put("second");

    // Onto its own key: the old version is the current one again.
    S3Response copy = copies.handle(copy("bucket/key?versionId=" + first));

    assertThat(copy.headers().first("x-amz-copy-source-version-id")).contains(first);
    String made = copy.headers().first(VERSION).orElseThrow();
    assertThat(made).isNotEqualTo(first);
    requireRead("", made, 5);
    assertThat(
            catchThrowableOfType(
                    S3Exception.class, () -> copies.handle(copy("bucket/key?versionId=none")))
                .code())
        .isEqualTo(S3ErrorCode.NO_SUCH_VERSION);
  }

  @Test
  void shouldRefuseWhenSourceIsDeleted() throws IOException {
    versioning(Versioning.ENABLED);
    put("first");
    String marker = store.delete(ObjectRef.current("bucket", "key")).versionId();

    S3Exception named =
        catchThrowableOfType(
            S3Exception.class, () -> copies.handle(copy("bucket/key?versionId=" + marker)));

    assertThat(named.code()).isEqualTo(S3ErrorCode.METHOD_NOT_ALLOWED);
  }

  @Test
  void shouldKeepVersionWhenConditionFails() throws IOException {
    versioning(Versioning.ENABLED);
    String version = put("first");
    ObjectMeta before = store.head("bucket", "key").orElseThrow();

    S3Exception refusal =
        catchThrowableOfType(
            S3Exception.class, () -> gets.handle(request("GET", "", "", "if-match", "\"other\"")));
    S3Response unchanged =
        gets.handle(request("GET", "", "", "if-none-match", '"' + before.etag() + '"'));

    assertThat(refusal.code()).isEqualTo(S3ErrorCode.PRECONDITION_FAILED);
    assertThat(unchanged.status()).isEqualTo(304);
    assertThat(unchanged.headers().first(VERSION)).contains(version);
  }

  private void versioning(Versioning versioning) throws IOException {
    store.updateBucket("bucket", meta -> meta.withVersioning(versioning));
  }

  private String put(String content) throws IOException {
    S3Response answer = puts.handle(request("PUT", "", content));
    return answer.headers().first(VERSION).orElse("");
  }

  private S3Response read(String method, String query) throws IOException {
    S3Request request = request(method, query, "");
    return method.equals("GET") ? gets.handle(request) : gets.head(request);
  }

  private S3Exception refused(String method, String query) {
    return catchThrowableOfType(S3Exception.class, () -> read(method, query));
  }

  private static S3Request copy(String source) {
    return request("PUT", "", "", SOURCE, source);
  }

  private static S3Request request(String method, String query, String body, String... headers) {
    Headers all = Headers.of(headers).with("content-length", Integer.toString(body.length()));
    RequestHead head =
        RequestHead.of(
            method, "/bucket/key" + query, all, InetAddress.getLoopbackAddress(), "REQUEST1");
    return new S3Request(
        head,
        "bucket",
        "key",
        Access.of(new Identity("KEY", Set.of())),
        RequestBody.of(body.getBytes(StandardCharsets.US_ASCII)),
        new CancelSignal());
  }
}
