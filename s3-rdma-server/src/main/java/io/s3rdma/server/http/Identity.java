package io.s3rdma.server.http;

import java.util.List;
import java.util.Set;

/**
 * Who signed a request, what that key may do, and which headers the signature covers. The rights
 * here are those of the key alone; whose bucket it is, is {@link Access}'s business.
 *
 * @param accessKey null where no signature was needed and none was given
 * @param signedHeaders lower-case names
 */
public record Identity(
    String accessKey, Account account, List<Grant> grants, Set<String> signedHeaders) {
  public static final Identity ANONYMOUS =
      new Identity(null, Account.ANONYMOUS, List.of(), Set.of());

  public Identity {
    grants = List.copyOf(grants);
    signedHeaders = Set.copyOf(signedHeaders);
  }

  /** A key of the default account with every right. */
  public Identity(String accessKey, Set<String> signedHeaders) {
    this(accessKey, Account.DEFAULT, List.of(Grant.ALL), signedHeaders);
  }

  public boolean isAnonymous() {
    return accessKey == null;
  }

  public boolean mayRead(String bucket, String key) {
    return may(Right.READ, bucket, key);
  }

  public boolean mayWrite(String bucket, String key) {
    return may(Right.WRITE, bucket, key);
  }

  /** A key restricted to a prefix may list only below it. */
  public boolean mayList(String bucket, String prefix) {
    return may(Right.LIST, bucket, prefix);
  }

  /** Creating, deleting and configuring; needs the right on the whole bucket. */
  public boolean mayAdminister(String bucket) {
    return may(Right.ADMIN, bucket, "");
  }

  /** Whether there is any right on this bucket or a part of it. */
  public boolean maySee(String bucket) {
    return grants.stream().anyMatch(g -> !g.rights().isEmpty() && g.coversBucket(bucket));
  }

  /** Whether there may be a key in this bucket that may be written. */
  boolean mayWriteIn(String bucket) {
    return grants.stream()
        .anyMatch(g -> g.rights().contains(Right.WRITE) && g.coversBucket(bucket));
  }

  private boolean may(Right right, String bucket, String name) {
    return Grant.anyAllows(grants, right, bucket, name);
  }
}
