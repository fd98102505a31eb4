package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.ObjectAttributes;
import software.amazon.awssdk.services.s3.model.Tag;

/** What policies ask of objects: tags, versions, and uploads in parts. */
class PolicyObjectsIT extends PolicyLab {
  /** What reads or changes an object that is there; each is asked for the tags that it has. */
  static List<Consumer<S3Client>> taggedCalls() {
    return List.of(
        s3 -> get(s3, "open/a"),
        s3 -> s3.headObject(b -> b.bucket(BUCKET).key("open/a")),
        s3 ->
            s3.getObjectAttributes(
                b -> b.bucket(BUCKET).key("open/a").objectAttributes(ObjectAttributes.OBJECT_SIZE)),
        s3 -> s3.getObjectTagging(b -> b.bucket(BUCKET).key("open/a")),
        s3 -> s3.putObjectTagging(b -> b.bucket(BUCKET).key("open/a").tagging(tags("s", "1"))),
        s3 -> s3.getObjectAcl(b -> b.bucket(BUCKET).key("open/a")),
        s3 -> s3.putObjectAcl(b -> b.bucket(BUCKET).key("open/a").acl("private")),
        s3 -> copy(s3, BUCKET, "open/a", "copied"),
        s3 -> s3.deleteObjectTagging(b -> b.bucket(BUCKET).key("open/a")));
  }

  @ParameterizedTest
  @MethodSource("taggedCalls")
  void shouldAskForTheTagsThatTheObjectHas(Consumer<S3Client> call) {
    put(
        policy(
            statement("Allow", "{'AWS':'team-b'}", "s3:*", ALL, ""),
            statement(
                "Deny",
                "'*'",
                "s3:*",
                OBJECTS,
                ",'Condition':{'StringEquals':{'s3:ExistingObjectTag/secret':'yes'}}")));
    call.accept(other);
    put(owner, "open/a");
    tag("open/a", "secret", "yes");

    denied(() -> call.accept(other));
    denied(() -> call.accept(owner));
  }

  @Test
  void shouldAskForTheTagsThatARequestGives() {
    String condition = ",'Condition':{'StringEquals':{'s3:RequestObjectTag/team':'b'}}";
    put(
        policy(
            "Allow",
            "{'AWS':'team-b'}",
            "['s3:PutObject','s3:PutObjectTagging']",
            OBJECTS,
            condition));

    denied(() -> put(other, "open/c"));
    denied(
        () ->
            other.putObject(
                b -> b.bucket(BUCKET).key("open/c").tagging("team=a"), RequestBody.empty()));
    other.putObject(b -> b.bucket(BUCKET).key("open/c").tagging("team=b"), RequestBody.empty());
    denied(
        () ->
            other.putObjectTagging(b -> b.bucket(BUCKET).key("open/c").tagging(tags("team", "a"))));
    other.putObjectTagging(b -> b.bucket(BUCKET).key("open/c").tagging(tags("team", "b")));
    assertThat(owner.getObjectTagging(b -> b.bucket(BUCKET).key("open/c")).tagSet())
        .containsExactly(Tag.builder().key("team").value("b").build());
  }

  @Test
  void shouldTellVersionsApartWhenOneIsNamed() {
    owner.putBucketVersioning(
        b ->
            b.bucket(BUCKET)
                .versioningConfiguration(v -> v.status(BucketVersioningStatus.ENABLED)));
    String version = put(owner, "open/a");
    put(policy("Allow", "{'AWS':'team-b'}", "s3:GetObject", OBJECTS, ""));
    assertThat(get(other, "open/a")).isEqualTo("open/a");
    denied(() -> other.getObjectAsBytes(b -> b.bucket(BUCKET).key("open/a").versionId(version)));

    put(policy("Allow", "{'AWS':'team-b'}", "s3:GetObjectVersion", OBJECTS, ""));
    denied(() -> get(other, "open/a"));
    other.getObjectAsBytes(b -> b.bucket(BUCKET).key("open/a").versionId(version));
  }

  @Test
  void shouldOpenTheVersionThatIsPublicAndNoOther() {
    owner.putBucketVersioning(
        b ->
            b.bucket(BUCKET)
                .versioningConfiguration(v -> v.status(BucketVersioningStatus.ENABLED)));
    String closed = put(owner, "open/a");
    owner.putObject(b -> b.bucket(BUCKET).key("open/a").acl("public-read"), RequestBody.empty());

    assertThat(get(nobody, "open/a")).isEmpty();
    denied(() -> nobody.getObjectAsBytes(b -> b.bucket(BUCKET).key("open/a").versionId(closed)));
  }

  @Test
  void shouldLetUploadsBeSentInPartsWhenPutIsAllowed() throws IOException {
    put(
        policy(
            "Allow",
            "{'AWS':'team-b'}",
            "s3:PutObject",
            OBJECTS,
            ",'Condition':{'StringEquals':{'s3:x-amz-acl':'private'}}"));
    denied(() -> other.createMultipartUpload(b -> b.bucket(BUCKET).key("open/m")));
    put(
        policy(
            "Allow",
            "{'AWS':'team-b'}",
            "['s3:PutObject','s3:PutObjectAcl']",
            OBJECTS,
            ",'Condition':{'StringEquals':{'s3:x-amz-acl':'private'}}"));
    String id =
        other.createMultipartUpload(b -> b.bucket(BUCKET).key("open/m").acl("private")).uploadId();
    String etag =
        other
            .uploadPart(
                b -> b.bucket(BUCKET).key("open/m").uploadId(id).partNumber(1),
                RequestBody.fromString("part"))
            .eTag();
    CompletedPart part = CompletedPart.builder().partNumber(1).eTag(etag).build();
    other.completeMultipartUpload(
        b -> b.bucket(BUCKET).key("open/m").uploadId(id).multipartUpload(m -> m.parts(part)));
    assertThat(get(owner, "open/m")).isEqualTo("part");
    denied(() -> other.abortMultipartUpload(b -> b.bucket(BUCKET).key("open/m").uploadId(id)));
  }
}
