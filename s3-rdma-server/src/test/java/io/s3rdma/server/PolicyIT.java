package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.s3rdma.server.http.Headers;
import io.s3rdma.server.http.RawClient;
import java.io.IOException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;

/** Bucket policies through the unmodified SDK. */
class PolicyIT extends PolicyLab {
  @Test
  void shouldGiveBackTheVeryTextWhenPutAndNothingWhenDeleted() {
    refused(() -> owner.getBucketPolicy(b -> b.bucket(BUCKET)), 404, "NoSuchBucketPolicy");
    refused(() -> owner.getBucketPolicyStatus(b -> b.bucket(BUCKET)), 404, "NoSuchBucketPolicy");
    String policy = "\n " + policy("Allow", "'*'", "s3:GetObject", OBJECTS, "") + " ";
    put(policy);

    assertThat(owner.getBucketPolicy(b -> b.bucket(BUCKET)).policy()).isEqualTo(policy);
    assertThat(isPublic()).isTrue();
    put(policy("Allow", "{'AWS':'team-b'}", "s3:GetObject", OBJECTS, ""));
    assertThat(isPublic()).isFalse();
    owner.deleteBucketPolicy(b -> b.bucket(BUCKET));
    owner.deleteBucketPolicy(b -> b.bucket(BUCKET));
    refused(() -> owner.getBucketPolicy(b -> b.bucket(BUCKET)), 404, "NoSuchBucketPolicy");
    refused(() -> owner.getBucketPolicy(b -> b.bucket("none")), 404, "NoSuchBucket");
  }

  @Test
  void shouldOpenAndCloseWhatItSaysAndSurviveARestart() throws IOException {
    put(
        policy(
            statement("Allow", "{'AWS':'team-b'}", "s3:GetObject", OBJECTS, ""),
            statement("Deny", "'*'", "s3:GetObject", "'arn:aws:s3:::shared/closed/*'", ""),
            statement("Allow", "'*'", "s3:ListBucket", "'arn:aws:s3:::shared'", "")));
    for (int round = 0; round < 2; round++) {
      assertThat(get(other, "open/a")).isEqualTo("open/a");
      denied(() -> get(nobody, "open/a"));
      denied(() -> get(user, "open/a"));
      denied(() -> get(owner, "closed/b"));
      denied(() -> get(other, "closed/b"));
      assertThat(nobody.listObjectsV2(b -> b.bucket(BUCKET)).contents()).hasSize(2);
      assertThat(other.listObjectsV2(b -> b.bucket(BUCKET)).contents()).hasSize(2);
      assertThat(other.listBuckets().buckets()).isEmpty();
      stop();
      open(directory.resolve("keys.conf"));
    }

    owner.deleteBucketPolicy(b -> b.bucket(BUCKET));
    assertThat(get(owner, "closed/b")).isEqualTo("closed/b");
    denied(() -> get(other, "open/a"));
    denied(() -> nobody.listObjectsV2(b -> b.bucket(BUCKET)));
  }

  @Test
  void shouldRefuseWhenDocumentIsNoPolicyOrTooLong() {
    String good = policy("Allow", "'*'", "s3:GetObject", OBJECTS, "");
    put(good);
    for (String bad : List.of("{", good.replace("Effect", "Efect"), good.replace(BUCKET, "x"))) {
      refused(() -> put(bad), 400, "MalformedPolicy");
    }
    String longest = good + " ".repeat(20 * 1024 - good.length());
    put(longest);
    refused(() -> put(longest + " "), 400, "MalformedPolicy");
    refused(() -> put(" ".repeat(1 << 20) + good), 400, "MalformedPolicy");
    assertThat(owner.getBucketPolicy(b -> b.bucket(BUCKET)).policy()).isEqualTo(longest);
  }

  @Test
  void shouldStayTheOwnersWhenItDeniesTheOwner() {
    String closed =
        policy(
            "Deny",
            "'*'",
            "['s3:PutBucketPolicy','s3:GetBucketPolicy'," + "'s3:DeleteBucketPolicy']",
            ALL,
            "");
    put(closed);
    for (ThrowingCallable call : policyCalls(user, closed)) {
      denied(call);
    }
    assertThat(owner.getBucketPolicy(b -> b.bucket(BUCKET)).policy()).isEqualTo(closed);
    owner.deleteBucketPolicy(b -> b.bucket(BUCKET));

    owner.putBucketPolicy(b -> b.bucket(BUCKET).policy(closed).confirmRemoveSelfBucketAccess(true));
    for (ThrowingCallable call : policyCalls(owner, closed)) {
      denied(call);
    }
    assertThat(get(owner, "open/a")).isEqualTo("open/a");
  }

  @Test
  void shouldNotGiveItselfAwayWhenItAllowsAnotherAccountAll() {
    put(policy("Allow", "{'AWS':'team-b'}", "s3:*", ALL, ""));

    assertThat(other.getBucketPolicy(b -> b.bucket(BUCKET)).policy()).contains("team-b");
    refused(() -> other.deleteBucketPolicy(b -> b.bucket(BUCKET)), 405, "MethodNotAllowed");
    refused(
        () -> other.putBucketPolicy(b -> b.bucket(BUCKET).policy("{}")), 405, "MethodNotAllowed");
    refused(() -> other.getPublicAccessBlock(b -> b.bucket(BUCKET)), 403, "AccessDenied");
    refused(() -> owner.getPublicAccessBlock(b -> b.bucket(BUCKET)), 501, "NotImplemented");
  }

  @Test
  void shouldDecideForEachKeyWhenManyAreDeleted() {
    put(policy("Allow", "{'AWS':'team-b'}", "s3:DeleteObject", "'arn:aws:s3:::shared/open/*'", ""));
    DeleteObjectsResponse answer =
        other.deleteObjects(
            b -> b.bucket(BUCKET).delete(d -> d.objects(id("open/a"), id("closed/b"))));

    assertThat(answer.deleted()).extracting(deleted -> deleted.key()).containsExactly("open/a");
    assertThat(answer.errors()).extracting(e -> e.key()).containsExactly("closed/b");
    assertThat(answer.errors().getFirst().code()).isEqualTo("AccessDenied");
    assertThat(get(owner, "closed/b")).isEqualTo("closed/b");

    put(policy("Deny", "'*'", "s3:DeleteObject", "'arn:aws:s3:::shared/closed/*'", ""));
    answer = owner.deleteObjects(b -> b.bucket(BUCKET).delete(d -> d.objects(id("closed/b"))));
    assertThat(answer.errors()).hasSize(1);
    denied(() -> owner.deleteObject(b -> b.bucket(BUCKET).key("closed/b")));
  }

  @Test
  void shouldDecideSourceAndTargetWhenCopied() {
    other.createBucket(b -> b.bucket("mine"));
    denied(() -> copy(other, "mine", "open/a", "x"));
    put(policy("Allow", "{'AWS':'team-b'}", "s3:GetObject", "'arn:aws:s3:::shared/open/*'", ""));
    copy(other, "mine", "open/a", "x");
    denied(() -> copy(other, "mine", "closed/b", "x"));
    denied(() -> copy(other, BUCKET, "open/a", "open/c"));

    put(
        policy(
            statement("Allow", "{'AWS':'team-b'}", "s3:GetObject", OBJECTS, ""),
            statement(
                "Allow",
                "{'AWS':'team-b'}",
                "s3:PutObject",
                OBJECTS,
                ",'Condition':{'StringLike':{'s3:x-amz-copy-source':'shared/open/*'}}")));
    copy(other, BUCKET, "open/a", "open/c");
    denied(() -> copy(other, BUCKET, "closed/b", "open/d"));
    denied(() -> put(other, "open/d"));

    // A copy takes the tags along, which a read does not show.
    tag("open/a", "a", "b");
    denied(() -> copy(other, "mine", "open/a", "tagged"));
    other.copyObject(
        b ->
            b.sourceBucket(BUCKET)
                .sourceKey("open/a")
                .destinationBucket("mine")
                .destinationKey("tagged")
                .taggingDirective("REPLACE"));
  }

  @Test
  void shouldKnowWhereARequestComesFrom() throws IOException {
    put(
        policy(
            "Deny",
            "'*'",
            "s3:GetObject",
            OBJECTS,
            ",'Condition':{'NotIpAddress':{'aws:SourceIp':'127.0.0.0/8'}}"));
    assertThat(get(owner, "open/a")).isEqualTo("open/a");
    put(
        policy(
            "Deny",
            "'*'",
            "s3:GetObject",
            OBJECTS,
            ",'Condition':{'Bool':{'aws:SecureTransport':false}}"));
    denied(() -> get(owner, "open/a"));
    try (RawClient client = new RawClient(server.port(), "OWNER", "geheim")) {
      client.sendHead("GET", "/shared/open/a", Headers.EMPTY, Headers.EMPTY);
      assertThat(client.receive(true).body()).contains("<Code>AccessDenied</Code>");
    }
  }

  private static List<ThrowingCallable> policyCalls(S3Client s3, String policy) {
    return List.of(
        () -> s3.getBucketPolicy(b -> b.bucket(BUCKET)),
        () -> s3.putBucketPolicy(b -> b.bucket(BUCKET).policy(policy)),
        () -> s3.deleteBucketPolicy(b -> b.bucket(BUCKET)));
  }

  private boolean isPublic() {
    return owner.getBucketPolicyStatus(b -> b.bucket(BUCKET)).policyStatus().isPublic();
  }
}
