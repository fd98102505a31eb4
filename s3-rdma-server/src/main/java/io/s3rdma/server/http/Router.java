package io.s3rdma.server.http;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Finds the operation for a head: special paths by prefix first, then S3's levels. Immutable. */
public final class Router {
  private static final String VERSION = "versionId";

  /** Query names that select another operation of S3 on the same resource. */
  private static final Set<String> SUBRESOURCES =
      Set.of(
          "abac",
          "accelerate",
          "acl",
          "analytics",
          "append",
          "attributes",
          "cors",
          "delete",
          "encryption",
          "intelligent-tiering",
          "inventory",
          "legal-hold",
          "lifecycle",
          "location",
          "logging",
          "metadataConfiguration",
          "metadataInventoryTable",
          "metadataJournalTable",
          "metadataTable",
          "metrics",
          "notification",
          "object-lock",
          "ownershipControls",
          "policy",
          "policyStatus",
          "publicAccessBlock",
          "renameObject",
          "replication",
          "requestPayment",
          "restore",
          "retention",
          "select",
          "session",
          "tagging",
          "torrent",
          "uploadId",
          "uploads",
          VERSION,
          "versioning",
          "versions",
          "website");

  private static final Operation NOT_IMPLEMENTED =
      request -> {
        throw new S3Exception(S3ErrorCode.NOT_IMPLEMENTED);
      };

  /** What a path names. */
  public enum Level {
    SERVICE,
    BUCKET,
    OBJECT
  }

  private final Map<String, Operation> specialPrefixes;
  private final Map<Route, Operation> routes;

  private Router(Map<String, Operation> specialPrefixes, Map<Route, Operation> routes) {
    this.specialPrefixes = Map.copyOf(specialPrefixes);
    this.routes = Map.copyOf(routes);
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * What a head asks for.
   *
   * @param operation never null: what nobody registered answers 501, after authentication
   * @param route null for a special path, which has neither bucket nor key
   */
  record Target(Operation operation, Route route, String bucket, String key) {
    boolean isSpecial() {
      return route == null;
    }

    /** Null for a special path. */
    Level level() {
      return isSpecial() ? null : route.level();
    }

    /** For what is not special. */
    String subresource() {
      return route.subresource();
    }
  }

  /** What selects an operation; {@code subresource} is empty for the plain one. */
  record Route(String method, Level level, String subresource) {}

  /** What has an operation. */
  Set<Route> routes() {
    return routes.keySet();
  }

  Target route(RequestHead head) {
    for (Map.Entry<String, Operation> special : specialPrefixes.entrySet()) {
      if (head.hostBucket().isEmpty() && head.rawPath().startsWith(special.getKey())) {
        return new Target(special.getValue(), null, "", "");
      }
    }
    String bucket = head.bucket();
    String key = head.key();
    Level level = bucket.isEmpty() ? Level.SERVICE : key.isEmpty() ? Level.BUCKET : Level.OBJECT;
    Route route = new Route(head.method(), level, subresourceOf(head.query()));
    Operation operation = routes.getOrDefault(route, NOT_IMPLEMENTED);
    return new Target(operation, route, bucket, key);
  }

  private static String subresourceOf(QueryParameters query) {
    String found = "";
    for (QueryParameters.Parameter parameter : query.all()) {
      if (SUBRESOURCES.contains(parameter.name())) {
        found = parameter.name();
        // A version may be named beside a subresource, and is then not what selects.
        if (!found.equals(VERSION)) {
          return found;
        }
      }
    }
    return found;
  }

  /** Collects routes. */
  public static final class Builder {
    private final Map<String, Operation> specialPrefixes = new HashMap<>();
    private final Map<Route, Operation> routes = new HashMap<>();

    private Builder() {}

    /** Every raw path that starts with a key goes to its operation, whatever the method. */
    public Builder special(Map<String, Operation> operationsByPathPrefix) {
      specialPrefixes.putAll(operationsByPathPrefix);
      return this;
    }

    /** {@code subresource} is the selecting query name, empty for the plain operation. */
    public Builder route(String method, Level level, String subresource, Operation operation) {
      routes.put(new Route(method, level, subresource), operation);
      return this;
    }

    public Router build() {
      return new Router(specialPrefixes, routes);
    }
  }
}
