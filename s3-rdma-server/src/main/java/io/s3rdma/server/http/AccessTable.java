package io.s3rdma.server.http;

import io.s3rdma.server.http.Router.Level;
import io.s3rdma.server.http.Router.Route;
import io.s3rdma.server.policy.PolicyAction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What each operation needs: of a key's rights, and in the words of policies. The one place for it;
 * a test holds it to the operations that are registered.
 */
final class AccessTable {
  /** Operations that are not one action on what the request names. */
  static final Set<Route> BY_THEMSELVES =
      Set.of(
          new Route("GET", Level.SERVICE, ""),
          new Route("PUT", Level.BUCKET, ""),
          new Route("POST", Level.BUCKET, "delete"));

  private static final Map<Route, List<Step>> STEPS = steps();

  private AccessTable() {}

  /**
   * One action, and the right for it.
   *
   * @param ofVersion the action's name where the request names a version
   */
  record Step(Need need, PolicyAction action, PolicyAction ofVersion, Undecided undecided) {
    Step(Need need, PolicyAction action) {
      this(need, action, action);
    }

    Step(Need need, PolicyAction action, PolicyAction ofVersion) {
      this(need, action, ofVersion, Undecided.NOTHING);
    }
  }

  /** Empty for what has no operation here. */
  static List<Step> of(Route route) {
    return STEPS.getOrDefault(route, List.of());
  }

  static Set<Route> routes() {
    return STEPS.keySet();
  }

  private static Map<Route, List<Step>> steps() {
    Map<Route, List<Step>> steps = new HashMap<>();
    data(steps);
    uploads(steps);
    labels(steps);
    lists(steps);
    settings(steps);
    return Map.copyOf(steps);
  }

  private static void data(Map<Route, List<Step>> steps) {
    Step read = new Step(Need.READ, PolicyAction.GET_OBJECT, PolicyAction.GET_OBJECT_VERSION);
    Step delete =
        new Step(Need.WRITE, PolicyAction.DELETE_OBJECT, PolicyAction.DELETE_OBJECT_VERSION);
    for (String subresource : List.of("", "versionId")) {
      object(steps, "GET", subresource, read);
      object(steps, "HEAD", subresource, read);
      object(steps, "DELETE", subresource, delete);
    }
    object(steps, "PUT", "", new Step(Need.WRITE, PolicyAction.PUT_OBJECT));
    object(
        steps,
        "GET",
        "attributes",
        new Step(Need.OWN_READ, PolicyAction.GET_OBJECT, PolicyAction.GET_OBJECT_VERSION),
        new Step(
            Need.OWN_READ,
            PolicyAction.GET_OBJECT_ATTRIBUTES,
            PolicyAction.GET_OBJECT_VERSION_ATTRIBUTES));
  }

  private static void uploads(Map<Route, List<Step>> steps) {
    PolicyAction put = PolicyAction.PUT_OBJECT;
    Step goOn = new Step(Need.WRITE, put, put, Undecided.OF_UPLOAD);
    object(steps, "POST", "uploads", new Step(Need.WRITE, put));
    object(steps, "PUT", "uploadId", goOn);
    object(steps, "POST", "uploadId", goOn);
    object(steps, "DELETE", "uploadId", new Step(Need.WRITE, PolicyAction.ABORT_MULTIPART_UPLOAD));
    object(steps, "GET", "uploadId", new Step(Need.READ, PolicyAction.LIST_MULTIPART_UPLOAD_PARTS));
  }

  /** Tags and ACLs. */
  private static void labels(Map<Route, List<Step>> steps) {
    object(
        steps,
        "GET",
        "tagging",
        new Step(
            Need.OWN_READ,
            PolicyAction.GET_OBJECT_TAGGING,
            PolicyAction.GET_OBJECT_VERSION_TAGGING));
    object(
        steps,
        "PUT",
        "tagging",
        new Step(
            Need.OWN_WRITE,
            PolicyAction.PUT_OBJECT_TAGGING,
            PolicyAction.PUT_OBJECT_VERSION_TAGGING,
            Undecided.TAGS_OF_BODY));
    object(
        steps,
        "DELETE",
        "tagging",
        new Step(
            Need.OWN_WRITE,
            PolicyAction.DELETE_OBJECT_TAGGING,
            PolicyAction.DELETE_OBJECT_VERSION_TAGGING));
    object(
        steps,
        "GET",
        "acl",
        new Step(Need.OWN_READ, PolicyAction.GET_OBJECT_ACL, PolicyAction.GET_OBJECT_VERSION_ACL));
    object(
        steps,
        "PUT",
        "acl",
        new Step(Need.OWN_WRITE, PolicyAction.PUT_OBJECT_ACL, PolicyAction.PUT_OBJECT_VERSION_ACL));
  }

  private static void lists(Map<Route, List<Step>> steps) {
    bucket(steps, "GET", "", Need.LIST, PolicyAction.LIST_BUCKET);
    bucket(steps, "GET", "versions", Need.LIST, PolicyAction.LIST_BUCKET_VERSIONS);
    bucket(steps, "GET", "uploads", Need.LIST, PolicyAction.LIST_BUCKET_MULTIPART_UPLOADS);
    bucket(steps, "HEAD", "", Need.SEE, PolicyAction.LIST_BUCKET);
    bucket(steps, "GET", "location", Need.SEE, PolicyAction.GET_BUCKET_LOCATION);
  }

  private static void settings(Map<Route, List<Step>> steps) {
    bucket(steps, "DELETE", "", Need.ADMINISTER, PolicyAction.DELETE_BUCKET);
    setting(
        steps,
        "versioning",
        PolicyAction.GET_BUCKET_VERSIONING,
        PolicyAction.PUT_BUCKET_VERSIONING);
    setting(steps, "acl", PolicyAction.GET_BUCKET_ACL, PolicyAction.PUT_BUCKET_ACL);
    setting(steps, "tagging", PolicyAction.GET_BUCKET_TAGGING, PolicyAction.PUT_BUCKET_TAGGING);
    setting(steps, "cors", PolicyAction.GET_BUCKET_CORS, PolicyAction.PUT_BUCKET_CORS);
    setting(
        steps,
        "lifecycle",
        PolicyAction.GET_LIFECYCLE_CONFIGURATION,
        PolicyAction.PUT_LIFECYCLE_CONFIGURATION);
    setting(
        steps,
        "encryption",
        PolicyAction.GET_ENCRYPTION_CONFIGURATION,
        PolicyAction.PUT_ENCRYPTION_CONFIGURATION);
    bucket(
        steps, "DELETE", "encryption", Need.ADMINISTER, PolicyAction.PUT_ENCRYPTION_CONFIGURATION);
    bucket(steps, "DELETE", "tagging", Need.ADMINISTER, PolicyAction.PUT_BUCKET_TAGGING);
    bucket(steps, "DELETE", "cors", Need.ADMINISTER, PolicyAction.PUT_BUCKET_CORS);
    bucket(steps, "DELETE", "lifecycle", Need.ADMINISTER, PolicyAction.PUT_LIFECYCLE_CONFIGURATION);
    // It tells who else may do what, so it is no setting that whoever lists may read.
    bucket(steps, "GET", "policy", Need.ADMINISTER, PolicyAction.GET_BUCKET_POLICY);
    bucket(steps, "PUT", "policy", Need.ADMINISTER, PolicyAction.PUT_BUCKET_POLICY);
    bucket(steps, "DELETE", "policy", Need.ADMINISTER, PolicyAction.DELETE_BUCKET_POLICY);
    bucket(steps, "GET", "policyStatus", Need.ADMINISTER, PolicyAction.GET_BUCKET_POLICY_STATUS);
  }

  private static void setting(
      Map<Route, List<Step>> steps, String subresource, PolicyAction get, PolicyAction put) {
    bucket(steps, "GET", subresource, Need.INSPECT, get);
    bucket(steps, "PUT", subresource, Need.ADMINISTER, put);
  }

  private static void bucket(
      Map<Route, List<Step>> steps,
      String method,
      String subresource,
      Need need,
      PolicyAction action) {
    steps.put(new Route(method, Level.BUCKET, subresource), List.of(new Step(need, action)));
  }

  private static void object(
      Map<Route, List<Step>> steps, String method, String subresource, Step... needed) {
    steps.put(new Route(method, Level.OBJECT, subresource), List.of(needed));
  }
}
