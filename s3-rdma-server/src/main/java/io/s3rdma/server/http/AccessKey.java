package io.s3rdma.server.http;

import java.util.List;

/** An access key with its secret, which it never shows, and its rights. */
public final class AccessKey {
  private final String id;
  private final String secret;
  private final Account account;
  private final List<Grant> grants;

  public AccessKey(String id, String secret, Account account, List<Grant> grants) {
    this.id = id;
    this.secret = secret;
    this.account = account;
    this.grants = List.copyOf(grants);
  }

  public String id() {
    return id;
  }

  public Account account() {
    return account;
  }

  public List<Grant> grants() {
    return grants;
  }

  String secret() {
    return secret;
  }

  @Override
  public String toString() {
    return "AccessKey[" + id + " of " + account.id() + "]";
  }
}
