package io.s3rdma.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may do what, by the head alone. */
class AccessTest {
  private static final Account A = new Account("a", "Team A");
  private static final Account B = new Account("b", "Team B");
  private static final Grant TRAIN =
      new Grant("models-*", "llama/", Set.of(Right.READ, Right.LIST));
  private static final Grant SCRATCH = new Grant("scratch", "tmp/", Set.of(Right.WRITE));

  private final Acls acls = new Acls();
  private boolean allowAnonymous;

  @ParameterizedTest
  @CsvSource({
    "GET, /, true",
    "GET, /models-1/llama/7b, true",
    "HEAD, /models-1/llama/7b, true",
    "GET, /models-1/llama/7b?versionId=1, true",
    "GET, /models-1/llama/7b?acl, true",
    "GET, /models-1/mistral/7b, false",
    "GET, /other/llama/7b, false",
    "PUT, /models-1/llama/7b, false",
    "DELETE, /models-1/llama/7b, false",
    "POST, /models-1/llama/7b?uploads, false",
    "GET, /models-1?prefix=llama/, true",
    "GET, /models-1?prefix=llama/7b&list-type=2, true",
    "GET, /models-1?versions&prefix=llama/, true",
    "GET, /models-1?uploads&prefix=llama/, true",
    "GET, /models-1?prefix=llama, false",
    "GET, /models-1?prefix=, false",
    "GET, /models-1?start-after=llama/, false",
    "GET, /models-1, false",
    "HEAD, /models-1, true",
    "GET, /models-1?location, true",
    "HEAD, /other, false",
    "GET, /models-1?policy, false",
    "GET, /models-1?cors, false",
    "PUT, /models-1, false",
    "PUT, /models-2, false",
    "PUT, /models-1?versioning, false",
    "DELETE, /models-1, false",
    "POST, /models-1?delete, false",
    "POST, /scratch?delete, true",
    "PUT, /scratch/tmp/x, true",
    "PUT, /scratch/tmp/x?tagging, true",
    "PUT, /scratch/x, false",
    "GET, /scratch/tmp/x, false",
    "GET, /scratch?prefix=tmp/, false",
    "PATCH, /scratch/x, false",
    "PATCH, /scratch, false",
  })
  void shouldHoldToTheRightsWhenKeyIsRestricted(String method, String target, boolean allowed)
      throws IOException {
    Identity identity = new Identity("k", A, List.of(TRAIN, SCRATCH), Set.of());
    acls.owners.putAll(Map.of("models-1", "a", "scratch", "a", "other", "a"));

    assertThat(isAllowed(identity, method, target)).isEqualTo(allowed);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /of-b/key",
    "HEAD, /of-b/key",
    "PUT, /of-b/key",
    "DELETE, /of-b/key",
    "GET, /of-b",
    "HEAD, /of-b",
    "GET, /of-b?location",
    "GET, /of-b?acl",
    "POST, /of-b?delete",
    "DELETE, /of-b",
    "PUT, /of-b?acl",
  })
  void shouldRefuseWhenBucketIsAnotherAccounts(String method, String target) throws IOException {
    acls.owners.put("of-b", "b");
    acls.bucketAcls.put("of-b", "public-read-write");
    acls.objectAcls.put("of-b/key", "public-read-write");

    assertThat(isAllowed(everything(A), method, target)).isFalse();
    assertThat(isAllowed(everything(B), method, target)).isTrue();
    assertThat(isAllowed(Identity.ANONYMOUS, method, target)).isFalse();
  }

  @Test
  void shouldSayThatTheNameIsTakenWhenBucketIsAnotherAccounts() throws IOException {
    acls.owners.put("of-b", "b");

    assertThatThrownBy(() -> require(everything(A), "PUT", "/of-b"))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.code()).isEqualTo(S3ErrorCode.BUCKET_ALREADY_EXISTS));
    assertThat(isAllowed(everything(B), "PUT", "/of-b")).isTrue();
    assertThat(isAllowed(everything(A), "PUT", "/new")).isTrue();
    assertThat(isAllowed(Identity.ANONYMOUS, "PUT", "/new")).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    // bucket, object, request, anonymous, another account
    "private, public-read, GET /b/k, true, true",
    "private, public-read-write, GET /b/k, true, true",
    "public-read, private, GET /b/k, false, false",
    "public-read, '', GET /b/k, false, false",
    "private, authenticated-read, GET /b/k, false, true",
    "private, aws-exec-read, GET /b/k, false, false",
    "private, bucket-owner-read, GET /b/k, false, false",
    "private, public-read, PUT /b/k, false, false",
    "private, public-read, GET /b/k?acl, false, false",
    "public-read, private, GET /b/none, true, true",
    "private, public-read, GET /b/none, false, false",
    "public-read, private, GET /b, true, true",
    "public-read, private, GET /b?versions, true, true",
    "public-read, private, HEAD /b, true, true",
    "public-read, private, GET /b?acl, false, false",
    "public-read, private, PUT /b/k, false, false",
    "public-read, private, DELETE /b/k, false, false",
    "public-read-write, private, PUT /b/k, true, true",
    "public-read-write, private, PUT /b/k?tagging, false, false",
    "public-read-write, private, PUT /b/k?acl, false, false",
    "public-read-write, private, POST /b/k?uploads, true, true",
    "public-read-write, private, DELETE /b/k, true, true",
    "public-read-write, private, POST /b?delete, true, true",
    "public-read-write, private, PUT /b, false, taken",
    "public-read-write, private, PUT /b?acl, false, false",
    "public-read-write, private, DELETE /b, false, false",
    "private, private, GET /gone/k, true, true",
    "private, private, GET /, false, true",
  })
  void shouldFollowCannedAclsWhenTheyMayOpenAnything(
      String bucketAcl, String objectAcl, String request, String anonymous, String other)
      throws IOException {
    allowAnonymous = true;
    acls.owners.put("b", "b");
    acls.bucketAcls.put("b", bucketAcl);
    acls.objectAcls.put("b/k", objectAcl);
    String[] parts = request.split(" ", 2);

    assertThat(isAllowed(Identity.ANONYMOUS, parts[0], parts[1]))
        .isEqualTo(anonymous.equals("true"));
    if (!other.equals("taken")) {
      assertThat(isAllowed(everything(A), parts[0], parts[1])).isEqualTo(other.equals("true"));
    }
    Identity nothing = new Identity("n", A, List.of(), Set.of());
    assertThat(isAllowed(nothing, parts[0], parts[1])).isEqualTo(request.equals("GET /"));
  }

  @Test
  void shouldShowOwnAndPermittedBucketsWhenListed() {
    Access access = access(new Identity("k", A, List.of(TRAIN), Set.of()));

    assertThat(access.shows("models-1", "a")).isTrue();
    assertThat(access.shows("models-1", "b")).isFalse();
    assertThat(access.shows("other", "a")).isFalse();
  }

  @Test
  void shouldKnowTheOwnerWhenRecordNamesAccountOrKey() throws IOException {
    acls.owners.putAll(Map.of("one", "b", "two", "key-b", "three", "left"));
    Access access = access(everything(A));

    assertThat(access.ownerOf("one")).isEqualTo(B);
    assertThat(access.ownerOf("two")).isEqualTo(B);
    assertThat(access.ownerOf("three")).isEqualTo(new Account("left", "left"));
    assertThat(access.ownerOf("gone")).isEqualTo(A);
  }

  @Test
  void shouldOwnEverythingWhenThereIsOneAccount() throws IOException {
    acls.owners.put("old", "a key of long ago");
    Credentials inline = new Credentials(Map.of("k", "s"));
    RequestHead head = RequestHead.of("PUT", "/old/key", Headers.EMPTY, null, "id");
    Access access =
        new Authority("r", inline, acls, false)
            .access(new Identity("k", Set.of()), head, Clock.systemUTC());

    AccessRule.require(access, Router.builder().build().route(head), head);
    assertThat(access.ownerOf("old")).isEqualTo(Account.DEFAULT);
  }

  private boolean isAllowed(Identity identity, String method, String target) throws IOException {
    try {
      require(identity, method, target);
      return true;
    } catch (S3Exception e) {
      assertThat(e.code()).isEqualTo(S3ErrorCode.ACCESS_DENIED);
      return false;
    }
  }

  private void require(Identity identity, String method, String target) throws IOException {
    RequestHead head = RequestHead.of(method, target, Headers.EMPTY, null, "id");
    Router router = Router.builder().build();
    Access access = authority().access(identity, head, Clock.systemUTC());
    AccessRule.require(access, router.route(head), head);
  }

  private Access access(Identity identity) {
    RequestHead head = RequestHead.of("GET", "/", Headers.EMPTY, null, "id");
    return authority().access(identity, head, Clock.systemUTC());
  }

  private Authority authority() {
    List<AccessKey> keys = List.of(key("key-a", A), key("key-b", B));
    return new Authority("r", new Credentials(keys), acls, allowAnonymous);
  }

  private static AccessKey key(String id, Account account) {
    return new AccessKey(id, "secret", account, List.of(Grant.ALL));
  }

  private static Identity everything(Account account) {
    return new Identity("key-" + account.id(), account, List.of(Grant.ALL), Set.of());
  }

  /** What a store would know. */
  private static final class Acls implements AccessPolicy {
    private final Map<String, String> owners = new HashMap<>();
    private final Map<String, String> bucketAcls = new HashMap<>();
    private final Map<String, String> objectAcls = new HashMap<>();

    @Override
    public Optional<String> ownerOf(String bucket) {
      return Optional.ofNullable(owners.get(bucket));
    }

    @Override
    public String acl(String bucket) {
      return bucketAcls.getOrDefault(bucket, "");
    }

    @Override
    public Optional<ObjectLabels> labels(String bucket, String key, String versionId) {
      return Optional.ofNullable(objectAcls.get(bucket + "/" + key))
          .map(acl -> new ObjectLabels(acl, Map.of()));
    }
  }
}
