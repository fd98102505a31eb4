package io.s3rdma.server.http;

import io.s3rdma.server.policy.BucketPolicy;
import io.s3rdma.server.policy.Caller;
import io.s3rdma.server.policy.PolicyAction;
import io.s3rdma.server.policy.Question;
import io.s3rdma.server.policy.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one request's signer may do: the one place where the rights of keys, bucket policies and
 * canned ACLs meet (docs/decisions/0021). A policy's denial wins. Then a key of the owning account
 * needs its right or the policy's allowance; another account's key needs its right and the
 * allowance of a policy or an ACL; who does not sign needs that allowance, and a configuration that
 * lets anybody in. Every refusal is AccessDenied, whether or not the thing is there. One request's,
 * so for one thread.
 */
public final class Access {
  private static final String PUBLIC_READ = "public-read";
  private static final String PUBLIC_WRITE = "public-read-write";
  private static final String AUTHENTICATED_READ = "authenticated-read";

  /** What the root of the owning account may do whatever the policy says. */
  private static final Set<PolicyAction> LAST_RESORT =
      Set.of(
          PolicyAction.GET_BUCKET_POLICY,
          PolicyAction.PUT_BUCKET_POLICY,
          PolicyAction.DELETE_BUCKET_POLICY);

  private final Authority authority;
  private final Identity identity;
  private final RequestHead head;
  private final Clock clock;

  /** Allowed by what an object said of itself before it was opened, or before the body was read. */
  private Set<Demand> unconfirmed = Set.of();

  private Opened opened;
  private Map<String, String> bodyTags;

  Access(Authority authority, Identity identity, RequestHead head, Clock clock) {
    this.authority = authority;
    this.identity = identity;
    this.head = head;
    this.clock = clock;
  }

  /** For a signer whom only the key's rights bind. */
  public static Access of(Identity identity) {
    Credentials none = new Credentials(Set.of());
    Authority authority = new Authority("", none, AccessPolicy.NONE, false);
    return new Access(authority, identity, null, Clock.systemUTC());
  }

  public Identity identity() {
    return identity;
  }

  void require(Demand demand) throws IOException {
    if (!isAllowed(demand)) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED);
    }
  }

  /** Whether more than the key's rights and ACLs count in this bucket. */
  boolean isUnderPolicy(String bucket) throws IOException {
    return !authority.policy().policyOf(bucket).isNone();
  }

  /** Bucket names are shared by all accounts, so a foreign one is taken, not forbidden. */
  public void requireCreate(String bucket) throws IOException {
    if (!identity.mayAdminister(bucket)) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED);
    }
    if (!isOwner(bucket)) {
      throw new S3Exception(S3ErrorCode.BUCKET_ALREADY_EXISTS).withDetail("BucketName", bucket);
    }
  }

  /** What a client expects of a bucket; of one that is not there nothing is expected. */
  public void requireOwner(String bucket, String expected) throws IOException {
    Optional<String> owner = authority.policy().ownerOf(bucket);
    if (owner.isPresent()
        && !authority.credentials().accountOf(owner.get()).id().equals(expected.trim())) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the bucket has another owner");
    }
  }

  /**
   * Decides again what was decided by labels of the object, now by those of the version that was
   * opened. Called wherever an object that a request names is read.
   */
  public void confirm(String bucket, String key, String acl, Map<String, String> tags)
      throws IOException {
    if (unconfirmed.isEmpty()) {
      return;
    }
    opened = new Opened(bucket, key, new ObjectLabels(acl, tags));
    for (Demand demand : List.copyOf(unconfirmed)) {
      if (demand.isOf(bucket, key)) {
        require(demand);
      }
    }
  }

  /** The same where the request's own tags stood in its body. */
  public void confirm(
      String bucket,
      String key,
      String acl,
      Map<String, String> tags,
      Map<String, String> requestTags)
      throws IOException {
    bodyTags = requestTags;
    confirm(bucket, key, acl, tags);
  }

  /** Whether a list of buckets shows this one, given what its record says of its owner. */
  public boolean shows(String bucket, String owner) {
    return identity.maySee(bucket) && isSignersAccount(owner);
  }

  /** The owner that listings and ACLs name; the signer's account where there is no bucket. */
  public Account ownerOf(String bucket) throws IOException {
    return authority
        .policy()
        .ownerOf(bucket)
        .map(authority.credentials()::accountOf)
        .orElse(identity.account());
  }

  /** Of a bucket that is not there everyone is the owner: the operation says that it is missing. */
  public boolean isOwner(String bucket) throws IOException {
    if (authority.credentials().isOneAccount() && !identity.isAnonymous()) {
      return true; // without a look into the store
    }
    Optional<String> owner = authority.policy().ownerOf(bucket);
    return owner.isEmpty() || isSignersAccount(owner.get());
  }

  private boolean isSignersAccount(String owner) {
    return !identity.isAnonymous()
        && authority.credentials().accountOf(owner).id().equals(identity.account().id());
  }

  private boolean isAllowed(Demand demand) throws IOException {
    BucketPolicy policy = authority.policy().policyOf(demand.bucket());
    Verdict verdict =
        policy.isNone() || demand.action() == null
            ? Verdict.SILENT
            : judge(policy, demand, Optional.empty());
    return switch (verdict) {
      case DENIED -> isLastResort(demand);
      case ALLOWED, ALLOWED_TO_ACCOUNT, SILENT -> isAllowed(demand, policy, verdict);
    };
  }

  private boolean isAllowed(Demand demand, BucketPolicy policy, Verdict verdict)
      throws IOException {
    if (identity.isAnonymous()) {
      return authority.allowsAnonymous() && isOpen(demand, policy, verdict);
    }
    boolean byRights = hasRight(demand);
    if (isOwner(demand.bucket())) {
      return byRights || verdict == Verdict.ALLOWED || isForEach(demand, policy);
    }
    return byRights && isOpen(demand, policy, verdict);
  }

  /** To who is not of the owning account. */
  private boolean isOpen(Demand demand, BucketPolicy policy, Verdict verdict) throws IOException {
    return verdict != Verdict.SILENT || isForEach(demand, policy) || isOpenByAcl(demand, policy);
  }

  /** What a policy says of a key is asked for each of them. */
  private static boolean isForEach(Demand demand, BucketPolicy policy) {
    return demand.need() == Need.WRITE_SOME && !policy.isNone();
  }

  private boolean hasRight(Demand demand) {
    String bucket = demand.bucket();
    return switch (demand.need()) {
      case READ, OWN_READ -> identity.mayRead(bucket, demand.name());
      case WRITE, OWN_WRITE -> identity.mayWrite(bucket, demand.name());
      case WRITE_SOME -> identity.mayWriteIn(bucket);
      case LIST -> identity.mayList(bucket, demand.name());
      case SEE -> identity.maySee(bucket);
      case INSPECT -> identity.mayAdminister(bucket) || identity.mayList(bucket, "");
      case ADMINISTER -> identity.mayAdminister(bucket);
    };
  }

  private boolean isOpenByAcl(Demand demand, BucketPolicy policy) throws IOException {
    String bucket = demand.bucket();
    boolean missing = identity.isAnonymous() && authority.policy().ownerOf(bucket).isEmpty();
    return switch (demand.need()) {
      case READ -> missing || isOpenObject(demand, policy);
      case WRITE, WRITE_SOME -> missing || isOpenBucket(bucket, true);
      case LIST, SEE -> missing || isOpenBucket(bucket, false);
      case OWN_READ, OWN_WRITE, INSPECT, ADMINISTER -> false;
    };
  }

  private boolean isOpenObject(Demand demand, BucketPolicy policy) throws IOException {
    if (!authority.allowsAnonymous() && policy.isNone()) {
      return false;
    }
    Optional<ObjectLabels> labels = labels(demand);
    if (labels.isPresent()) {
      return authority.allowsAnonymous() && opens(labels.get().acl(), false);
    }
    // Who may list may learn that there is no such key.
    return isOpenBucket(demand.bucket(), false)
        || (!policy.isNone() && maySeeThatItIsMissing(policy, demand));
  }

  private boolean maySeeThatItIsMissing(BucketPolicy policy, Demand demand) throws IOException {
    Demand list =
        Demand.ofBucket(Need.LIST, PolicyAction.LIST_BUCKET, demand.bucket(), demand.name());
    Verdict verdict = judge(policy, list, Optional.of(demand.name()));
    boolean mayAsk = identity.isAnonymous() || hasRight(list);
    return mayAsk && (verdict == Verdict.ALLOWED || verdict == Verdict.ALLOWED_TO_ACCOUNT);
  }

  private boolean isOpenBucket(String bucket, boolean forWriting) throws IOException {
    return authority.allowsAnonymous() && opens(authority.policy().acl(bucket), forWriting);
  }

  private boolean opens(String acl, boolean forWriting) {
    return switch (acl) {
      case PUBLIC_WRITE -> true;
      case PUBLIC_READ -> !forWriting;
      case AUTHENTICATED_READ -> !forWriting && !identity.isAnonymous();
      default -> false;
    };
  }

  private boolean isLastResort(Demand demand) throws IOException {
    String bucket = demand.bucket();
    return LAST_RESORT.contains(demand.action())
        && caller().isRoot()
        && isOwner(bucket)
        && !authority.policy().bindsRoot(bucket);
  }

  private Verdict judge(BucketPolicy policy, Demand demand, Optional<String> prefix)
      throws IOException {
    RequestConditions values = new RequestConditions(this, head, demand, prefix);
    Question question =
        new Question(caller(), demand.action(), demand.bucket(), demand.key(), values);
    try {
      return policy.judge(question);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** A key that may do everything is its account's root. */
  Caller caller() {
    if (identity.isAnonymous()) {
      return Caller.ANONYMOUS;
    }
    boolean root = identity.grants().contains(Grant.ALL);
    return new Caller(identity.account().id(), root ? "" : identity.accessKey());
  }

  AccessPolicy policy() {
    return authority.policy();
  }

  Clock clock() {
    return clock;
  }

  /** Of the object that is demanded; what follows from them is to be confirmed. */
  Optional<ObjectLabels> labels(Demand demand) throws IOException {
    confirmLater(demand);
    return opened != null && demand.isOf(opened.bucket(), opened.key())
        ? Optional.of(opened.labels())
        : authority.policy().labels(demand.bucket(), demand.key(), demand.versionId());
  }

  /** The tags in the request's body; empty until it was read, and then to be confirmed. */
  Optional<Map<String, String>> bodyTags(Demand demand) {
    confirmLater(demand);
    return Optional.ofNullable(bodyTags);
  }

  private void confirmLater(Demand demand) {
    if (unconfirmed.isEmpty()) {
      unconfirmed = new HashSet<>();
    }
    unconfirmed.add(demand);
  }

  /** What the operation found where it opened an object. */
  private record Opened(String bucket, String key, ObjectLabels labels) {}
}
