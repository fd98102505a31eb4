package io.s3rdma.server.policy;

import java.util.List;

/** A bucket's policy, read once and asked for each request. Immutable. */
public final class BucketPolicy {
  /** Of a bucket without one. */
  public static final BucketPolicy NONE = new BucketPolicy(List.of(), false);

  /** In place of one that cannot be read any more: what it denied must not become allowed. */
  public static final BucketPolicy DENIES_ALL = new BucketPolicy(List.of(), true);

  private final List<Statement> statements;
  private final boolean deniesAll;

  private BucketPolicy(List<Statement> statements, boolean deniesAll) {
    this.statements = statements;
    this.deniesAll = deniesAll;
  }

  /** A policy that was accepted for its bucket before. */
  public static BucketPolicy parse(String document) throws MalformedPolicyException {
    return new BucketPolicy(PolicyReader.read(document), false);
  }

  /** One that a client gives to a bucket, whose resources must be of it. */
  public static BucketPolicy parse(String document, String bucket) throws MalformedPolicyException {
    BucketPolicy policy = parse(document);
    for (Statement statement : policy.statements) {
      if (!statement.resources().others()) {
        statement.resources().requireOf(bucket);
      }
    }
    return policy;
  }

  public boolean isNone() {
    return this == NONE;
  }

  /** A denial wins over any allowance, whatever their order. */
  public Verdict judge(Question question) {
    if (deniesAll) {
      return Verdict.DENIED;
    }
    Verdict verdict = Verdict.SILENT;
    for (Statement statement : statements) {
      // What has been found already need not be found again.
      if (statement.denies() || verdict != Verdict.ALLOWED) {
        Principals.Match match = statement.match(question);
        if (match != Principals.Match.NOT && statement.denies()) {
          return Verdict.DENIED;
        }
        verdict = better(verdict, match);
      }
    }
    return verdict;
  }

  private static Verdict better(Verdict verdict, Principals.Match match) {
    return switch (match) {
      case NOT -> verdict;
      case AS_ITSELF -> Verdict.ALLOWED;
      case BY_ACCOUNT -> Verdict.ALLOWED_TO_ACCOUNT;
    };
  }

  /** Whether it lets anybody in, as Amazon counts it. */
  public boolean isPublic() {
    return statements.stream().anyMatch(Publicity::isPublic);
  }

  @Override
  public String toString() {
    return deniesAll ? "a denial of everything" : statements.size() + " statements";
  }
}
