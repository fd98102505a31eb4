package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketCannedACL;
import software.amazon.awssdk.services.s3.model.CORSConfiguration;
import software.amazon.awssdk.services.s3.model.CORSRule;
import software.amazon.awssdk.services.s3.model.ExpirationStatus;
import software.amazon.awssdk.services.s3.model.GetBucketAclResponse;
import software.amazon.awssdk.services.s3.model.Grant;
import software.amazon.awssdk.services.s3.model.LifecycleRule;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.Permission;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Transition;
import software.amazon.awssdk.services.s3.model.TransitionStorageClass;

/** Tags, CORS, lifecycle and ACLs through the unmodified SDK. */
class SdkSettingsIT {
  @TempDir static Path directory;
  private static TestServer server;
  private static S3Client s3;

  @BeforeAll
  static void start() throws IOException {
    server = TestServer.start(directory);
    s3 = server.client();
  }

  @AfterAll
  static void stop() throws IOException {
    s3.close();
    server.close();
  }

  @Test
  void shouldKeepTagsWhenBucketOrObjectHasSome() {
    bucket("tags");
    put("tags", "k");
    List<Tag> tags = List.of(tag("a", ""), tag("b c", "d+e=f"));

    refused(() -> s3.getBucketTagging(b -> b.bucket("tags")), 404, "NoSuchTagSet");
    s3.putBucketTagging(b -> b.bucket("tags").tagging(t -> t.tagSet(tags)));
    assertThat(s3.getBucketTagging(b -> b.bucket("tags")).tagSet()).isEqualTo(tags);
    s3.deleteBucketTagging(b -> b.bucket("tags"));
    refused(() -> s3.getBucketTagging(b -> b.bucket("tags")), 404, "NoSuchTagSet");

    assertThat(s3.getObjectTagging(b -> b.bucket("tags").key("k")).tagSet()).isEmpty();
    s3.putObjectTagging(b -> b.bucket("tags").key("k").tagging(t -> t.tagSet(tags)));
    assertThat(s3.getObjectTagging(b -> b.bucket("tags").key("k")).tagSet()).isEqualTo(tags);
    s3.deleteObjectTagging(b -> b.bucket("tags").key("k"));
    assertThat(s3.getObjectTagging(b -> b.bucket("tags").key("k")).tagSet()).isEmpty();
    refused(() -> s3.getObjectTagging(b -> b.bucket("tags").key("no")), 404, "NoSuchKey");
    refused(
        () -> s3.getObjectTagging(b -> b.bucket("tags").key("k").versionId("x")),
        404,
        "NoSuchVersion");
    refused(() -> s3.getBucketTagging(b -> b.bucket("nobucket")), 404, "NoSuchBucket");
    refused(
        () ->
            s3.putObjectTagging(
                b -> b.bucket("tags").key("k").tagging(t -> t.tagSet(tag("a", ""), tag("a", "")))),
        400,
        "InvalidTag");
  }

  @Test
  void shouldKeepCorsRulesWhenPut() {
    bucket("cors");
    CORSRule rule =
        CORSRule.builder()
            .id("one")
            .allowedOrigins("https://*.example.com")
            .allowedMethods("GET", "PUT")
            .allowedHeaders("*")
            .exposeHeaders("ETag")
            .maxAgeSeconds(60)
            .build();
    CORSConfiguration rules = CORSConfiguration.builder().corsRules(rule).build();

    refused(() -> s3.getBucketCors(b -> b.bucket("cors")), 404, "NoSuchCORSConfiguration");
    s3.putBucketCors(b -> b.bucket("cors").corsConfiguration(rules));
    assertThat(s3.getBucketCors(b -> b.bucket("cors")).corsRules()).containsExactly(rule);
    s3.deleteBucketCors(b -> b.bucket("cors"));
    refused(() -> s3.getBucketCors(b -> b.bucket("cors")), 404, "NoSuchCORSConfiguration");
    refused(() -> s3.deleteBucketCors(b -> b.bucket("nobucket")), 404, "NoSuchBucket");
  }

  @Test
  void shouldKeepLifecycleWhenPut() {
    bucket("life");
    LifecycleRule keepLast =
        LifecycleRule.builder()
            .id("keep-last-5")
            .filter(f -> f.prefix("checkpoints/"))
            .status(ExpirationStatus.ENABLED)
            .noncurrentVersionExpiration(n -> n.noncurrentDays(1).newerNoncurrentVersions(4))
            .build();
    LifecycleRule filtered =
        LifecycleRule.builder()
            .id("small logs")
            .filter(
                f ->
                    f.and(
                        a ->
                            a.prefix("logs/")
                                .tags(tag("a", "b"), tag("c", "d"))
                                .objectSizeLessThan(1000L)))
            .status(ExpirationStatus.DISABLED)
            .expiration(e -> e.days(7))
            .build();

    refused(
        () -> s3.getBucketLifecycleConfiguration(b -> b.bucket("life")),
        404,
        "NoSuchLifecycleConfiguration");
    s3.putBucketLifecycleConfiguration(
        b -> b.bucket("life").lifecycleConfiguration(c -> c.rules(keepLast, filtered)));
    assertThat(s3.getBucketLifecycleConfiguration(b -> b.bucket("life")).rules())
        .containsExactly(keepLast, filtered);
    refused(
        () ->
            s3.putBucketLifecycleConfiguration(
                b ->
                    b.bucket("life")
                        .lifecycleConfiguration(
                            c ->
                                c.rules(
                                    keepLast.toBuilder()
                                        .transitions(
                                            Transition.builder()
                                                .days(1)
                                                .storageClass(TransitionStorageClass.GLACIER)
                                                .build())
                                        .build()))),
        501,
        "NotImplemented");
    s3.deleteBucketLifecycle(b -> b.bucket("life"));
    s3.deleteBucketLifecycle(b -> b.bucket("life"));
    refused(
        () -> s3.getBucketLifecycleConfiguration(b -> b.bucket("life")),
        404,
        "NoSuchLifecycleConfiguration");
  }

  @Test
  void shouldAnswerGrantsWhenAclIsCanned() {
    s3.createBucket(b -> b.bucket("acls").acl(BucketCannedACL.PUBLIC_READ));
    put("acls", "k");

    GetBucketAclResponse bucket = s3.getBucketAcl(b -> b.bucket("acls"));
    assertThat(bucket.grants())
        .extracting(Grant::permission)
        .containsExactly(Permission.FULL_CONTROL, Permission.READ);
    assertThat(bucket.grants().get(0).grantee().id()).isEqualTo(bucket.owner().id());
    assertThat(bucket.grants().get(1).grantee().uri()).endsWith("/global/AllUsers");

    // What was answered can be sent back.
    s3.putBucketAcl(b -> b.bucket("acls").acl(BucketCannedACL.PRIVATE));
    assertThat(s3.getBucketAcl(b -> b.bucket("acls")).grants()).hasSize(1);
    s3.putBucketAcl(
        b ->
            b.bucket("acls")
                .accessControlPolicy(p -> p.owner(bucket.owner()).grants(bucket.grants())));
    assertThat(s3.getBucketAcl(b -> b.bucket("acls")).grants()).isEqualTo(bucket.grants());

    s3.putObjectAcl(b -> b.bucket("acls").key("k").acl(ObjectCannedACL.AUTHENTICATED_READ));
    assertThat(s3.getObjectAcl(b -> b.bucket("acls").key("k")).grants().get(1).grantee().uri())
        .endsWith("/global/AuthenticatedUsers");
    refused(
        () -> s3.putObjectAcl(b -> b.bucket("acls").key("k").grantRead("id=someone")),
        501,
        "NotImplemented");
    refused(
        () -> s3.createBucket(b -> b.bucket("locked").objectLockEnabledForBucket(true)),
        501,
        "NotImplemented");
  }

  private static Tag tag(String key, String value) {
    return Tag.builder().key(key).value(value).build();
  }

  private static void refused(ThrowingCallable call, int status, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
              assertThat(e.statusCode()).isEqualTo(status);
            });
  }

  private static void bucket(String name) {
    s3.createBucket(b -> b.bucket(name));
  }

  private static void put(String bucket, String key) {
    s3.putObject(b -> b.bucket(bucket).key(key), RequestBody.fromString("content"));
  }
}
