package io.s3rdma.server.policy;

/**
 * Who asks. An account's root may do everything in it; its other keys are users, named as their
 * access key.
 *
 * @param account empty for who gave no signature
 * @param user empty for the root of the account
 */
public record Caller(String account, String user) {
  public static final Caller ANONYMOUS = new Caller("", "");

  public boolean isAnonymous() {
    return account.isEmpty();
  }

  public boolean isRoot() {
    return !isAnonymous() && user.isEmpty();
  }

  /** As a policy names it. */
  public String arn() {
    return Principals.ARN_PREFIX + account + (isRoot() ? Principals.ROOT : Principals.USER + user);
  }
}
