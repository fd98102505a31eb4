package io.s3rdma.server.http;

import io.s3rdma.server.http.AccessTable.Step;
import io.s3rdma.server.http.Router.Level;
import io.s3rdma.server.http.Router.Route;
import io.s3rdma.server.policy.PolicyAction;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * P-4.1: what a request needs by its head alone, before its operation is asked anything. What
 * {@link AccessTable} does not name needs the most, and no policy opens it.
 */
final class AccessRule {
  private static final String VERSION = "versionId";
  private static final Set<String> READING = Set.of("GET", "HEAD");

  /** These take the tags and the ACL of the object that they make, by headers. */
  private static final Set<Route> MAKING =
      Set.of(new Route("PUT", Level.OBJECT, ""), new Route("POST", Level.OBJECT, "uploads"));

  private AccessRule() {}

  static void require(Access access, Router.Target target, RequestHead head) throws IOException {
    switch (target.level()) {
      case SERVICE -> requireSigned(access);
      case BUCKET -> requireBucket(access, target, head);
      case OBJECT -> requireObject(access, target, head);
    }
    Optional<String> expected = head.headers().first(HttpNames.AMZ_EXPECTED_BUCKET_OWNER);
    if (expected.isPresent()) {
      access.requireOwner(target.bucket(), expected.get());
    }
  }

  private static void requireSigned(Access access) {
    if (access.identity().isAnonymous()) {
      throw new S3Exception(S3ErrorCode.ACCESS_DENIED, "the request is not signed");
    }
  }

  private static void requireObject(Access access, Router.Target target, RequestHead head)
      throws IOException {
    List<Step> steps = AccessTable.of(target.route());
    if (steps.isEmpty()) {
      Need need = READING.contains(head.method()) ? Need.OWN_READ : Need.OWN_WRITE;
      access.require(new Demand(need, null, target.bucket(), target.key(), ""));
    }
    String version = steps.isEmpty() ? "" : head.query().first(VERSION).orElse("");
    for (Step step : steps) {
      access.require(demand(step, target.bucket(), target.key(), version));
    }
    if (MAKING.contains(target.route()) && access.isUnderPolicy(target.bucket())) {
      requireLabels(access, target, head.headers());
    }
  }

  /** Where a policy says who may put objects, it says by itself who may label them. */
  private static void requireLabels(Access access, Router.Target target, Headers headers)
      throws IOException {
    if (headers.contains(HttpNames.AMZ_TAGGING)) {
      access.require(writingTags(target.bucket(), target.key()));
    }
    if (headers.contains(HttpNames.AMZ_ACL)) {
      PolicyAction action = PolicyAction.PUT_OBJECT_ACL;
      access.require(new Demand(Need.WRITE, action, target.bucket(), target.key(), ""));
    }
  }

  private static void requireBucket(Access access, Router.Target target, RequestHead head)
      throws IOException {
    String bucket = target.bucket();
    List<Step> steps = AccessTable.of(target.route());
    for (Step step : steps) {
      String prefix = step.need() == Need.LIST ? head.query().first("prefix").orElse("") : "";
      access.require(Demand.ofBucket(step.need(), step.action(), bucket, prefix));
    }
    if (!steps.isEmpty()) {
      return;
    }
    switch (head.method() + ' ' + target.subresource()) {
      case "PUT " -> access.requireCreate(bucket);
      // The operation asks again for each key of its body.
      case "POST delete", "POST " ->
          access.require(Demand.ofBucket(Need.WRITE_SOME, null, bucket, ""));
      default -> {
        Need need = head.method().equals("GET") ? Need.INSPECT : Need.ADMINISTER;
        access.require(Demand.ofBucket(need, null, bucket, ""));
      }
    }
  }

  static Demand reading(String bucket, String key, String version) {
    return demand(step("GET", ""), bucket, key, version);
  }

  static Demand deleting(String bucket, String key, String version) {
    return demand(step("DELETE", ""), bucket, key, version);
  }

  /** Whoever may read an object may copy it, tags and all, unless a policy says otherwise. */
  static Demand readingTags(String bucket, String key, String version) {
    PolicyAction action = demand(step("GET", "tagging"), bucket, key, version).action();
    return new Demand(Need.READ, action, bucket, key, version);
  }

  /** Of an object that is being made. */
  static Demand writingTags(String bucket, String key) {
    return new Demand(Need.WRITE, PolicyAction.PUT_OBJECT_TAGGING, bucket, key, "");
  }

  private static Step step(String method, String subresource) {
    return AccessTable.of(new Route(method, Level.OBJECT, subresource)).getFirst();
  }

  private static Demand demand(Step step, String bucket, String key, String version) {
    PolicyAction action = version.isEmpty() ? step.action() : step.ofVersion();
    return new Demand(step.need(), action, bucket, key, version, step.undecided());
  }
}
