package io.s3rdma.server.http;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * What one request's signer may do. The owning account's keys may do what their rights say; another
 * account, and whoever does not sign, only what a canned ACL opens, and only where the
 * configuration lets ACLs open anything. Every refusal is AccessDenied, whether or not the thing is
 * there.
 */
public final class Access {
  private static final String PUBLIC_READ = "public-read";
  private static final String PUBLIC_WRITE = "public-read-write";
  private static final String AUTHENTICATED_READ = "authenticated-read";

  private final Authority authority;
  private final Identity identity;

  Access(Authority authority, Identity identity) {
    this.authority = authority;
    this.identity = identity;
  }

  /** For a signer whom only the key's rights bind. */
  public static Access of(Identity identity) {
    Credentials none = new Credentials(Set.of());
    return new Access(new Authority("", none, AccessPolicy.NONE, false), identity);
  }

  public Identity identity() {
    return identity;
  }

  public void requireRead(String bucket, String key) throws IOException {
    require(identity.mayRead(bucket, key), isOwner(bucket) || isPublicObject(bucket, key));
  }

  public void requireWrite(String bucket, String key) throws IOException {
    require(identity.mayWrite(bucket, key), isOwner(bucket) || isOpen(bucket, true));
  }

  /** Some key of the bucket; whoever calls this asks for each key that follows from the body. */
  void requireWriteIn(String bucket) throws IOException {
    require(identity.mayWriteIn(bucket), isOwner(bucket) || isOpen(bucket, true));
  }

  public void requireList(String bucket, String prefix) throws IOException {
    require(identity.mayList(bucket, prefix), isOwner(bucket) || isOpen(bucket, false));
  }

  /** That the bucket is there, and where. */
  void requireSee(String bucket) throws IOException {
    require(identity.maySee(bucket), isOwner(bucket) || isOpen(bucket, false));
  }

  /** The same as {@link #requireRead}, but no ACL opens it to others. */
  void requireOwnRead(String bucket, String key) throws IOException {
    require(identity.mayRead(bucket, key), isSigningOwner(bucket));
  }

  /** The same as {@link #requireWrite}, but no ACL opens it to others. */
  void requireOwnWrite(String bucket, String key) throws IOException {
    require(identity.mayWrite(bucket, key), isSigningOwner(bucket));
  }

  /** Reading a bucket's settings. */
  void requireInspect(String bucket) throws IOException {
    boolean may = identity.mayAdminister(bucket) || identity.mayList(bucket, "");
    require(may, isSigningOwner(bucket));
  }

  public void requireAdminister(String bucket) throws IOException {
    require(identity.mayAdminister(bucket), isSigningOwner(bucket));
  }

  /** Bucket names are shared by all accounts, so a foreign one is taken, not forbidden. */
  public void requireCreate(String bucket) throws IOException {
    require(identity.mayAdminister(bucket), !identity.isAnonymous());
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
  private boolean isOwner(String bucket) throws IOException {
    if (authority.credentials().isOneAccount() && !identity.isAnonymous()) {
      return true; // without a look into the store
    }
    Optional<String> owner = authority.policy().ownerOf(bucket);
    return owner.isEmpty() || isSignersAccount(owner.get());
  }

  private boolean isSigningOwner(String bucket) throws IOException {
    return !identity.isAnonymous() && isOwner(bucket);
  }

  private boolean isSignersAccount(String owner) {
    return !identity.isAnonymous()
        && authority.credentials().accountOf(owner).id().equals(identity.account().id());
  }

  private void require(boolean byRights, boolean byOwner) {
    // Without a key there are no rights of one: the ACL alone decides.
    boolean anonymous = identity.isAnonymous() && authority.allowsAnonymous();
    if (!(byRights || anonymous) || !byOwner) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED);
    }
  }

  private boolean isPublicObject(String bucket, String key) throws IOException {
    if (!authority.allowsAnonymous()) {
      return false;
    }
    Optional<String> acl = authority.policy().acl(bucket, key);
    // Who may list may learn that there is no such key.
    return acl.isPresent() ? opens(acl.get(), false) : isOpen(bucket, false);
  }

  private boolean isOpen(String bucket, boolean forWriting) throws IOException {
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
}
