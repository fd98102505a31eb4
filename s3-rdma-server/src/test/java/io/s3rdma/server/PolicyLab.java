package io.s3rdma.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AnonymousCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Tagging;

/** A bucket, two accounts, a user of the first, and nobody; policies by the unmodified SDK. */
abstract class PolicyLab {
  static final String BUCKET = "shared";
  static final String OBJECTS = "'arn:aws:s3:::shared/*'";
  static final String ALL = "['arn:aws:s3:::shared','arn:aws:s3:::shared/*']";

  @TempDir Path directory;
  TestServer server;
  S3Client owner;
  S3Client user;
  S3Client other;
  S3Client nobody;

  @BeforeEach
  void start() throws IOException {
    Path keys =
        Files.writeString(
            directory.resolve("keys.conf"),
            """
            keys = [
              { access-key = OWNER, secret-key = "geheim", account = team-a }
              { access-key = USER, secret-key = "geheim", account = team-a, rights = [] }
              { access-key = OTHER, secret-key = "geheim", account = team-b }
            ]
            """);
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    open(keys);
    owner.createBucket(b -> b.bucket(BUCKET));
    put(owner, "open/a");
    put(owner, "closed/b");
  }

  void open(Path keys) throws IOException {
    server =
        TestServer.start(
            directory.resolve("data"),
            Map.of("auth.keys-file", keys.toString(), "auth.allow-anonymous", true));
    owner = server.client("OWNER", "geheim");
    user = server.client("USER", "geheim");
    other = server.client("OTHER", "geheim");
    nobody =
        server
            .builder("none", "none")
            .credentialsProvider(AnonymousCredentialsProvider.create())
            .build();
  }

  @AfterEach
  void stop() throws IOException {
    List.of(owner, user, other, nobody).forEach(S3Client::close);
    server.close();
  }

  void put(String policy) {
    owner.putBucketPolicy(b -> b.bucket(BUCKET).policy(policy));
  }

  static String put(S3Client s3, String key) {
    return s3.putObject(b -> b.bucket(BUCKET).key(key), RequestBody.fromString(key)).versionId();
  }

  static String get(S3Client s3, String key) {
    return s3.getObjectAsBytes(b -> b.bucket(BUCKET).key(key)).asUtf8String();
  }

  static void copy(S3Client s3, String bucket, String source, String key) {
    s3.copyObject(
        b ->
            b.sourceBucket(BUCKET).sourceKey(source).destinationBucket(bucket).destinationKey(key));
  }

  void tag(String key, String name, String value) {
    owner.putObjectTagging(b -> b.bucket(BUCKET).key(key).tagging(tags(name, value)));
  }

  static Tagging tags(String name, String value) {
    return Tagging.builder().tagSet(Tag.builder().key(name).value(value).build()).build();
  }

  static ObjectIdentifier id(String key) {
    return ObjectIdentifier.builder().key(key).build();
  }

  static void denied(ThrowingCallable call) {
    refused(call, 403, "AccessDenied");
  }

  static void refused(ThrowingCallable call, int status, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.statusCode()).isEqualTo(status);
              // A HEAD has no body to say more.
              if (e.awsErrorDetails().errorCode() != null) {
                assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
              }
            });
  }

  static String policy(
      String effect, String principal, String action, String resource, String more) {
    return policy(statement(effect, principal, action, resource, more));
  }

  static String policy(String... statements) {
    return ("{'Version':'2012-10-17','Statement':[" + String.join(",", statements) + "]}")
        .replace('\'', '"');
  }

  static String statement(
      String effect, String principal, String action, String resource, String more) {
    String actions = action.startsWith("[") ? action : "'" + action + "'";
    return "{'Effect':'%s','Principal':%s,'Action':%s,'Resource':%s%s}"
        .formatted(effect, principal, actions, resource, more);
  }
}
