package io.s3rdma.server.http;

import io.s3rdma.server.policy.Caller;
import io.s3rdma.server.policy.ConditionKey;
import io.s3rdma.server.policy.RequestValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the conditions of a policy find in one request, looked up when one asks.
 *
 * @param prefix what a listing would be asked for that the request does not ask for
 */
record RequestConditions(Access access, RequestHead head, Demand demand, Optional<String> prefix)
    implements RequestValues {
  /** What an upload is given when it begins, so that its parts need not say it again. */
  private static final Set<ConditionKey.Kind> OF_UPLOAD =
      EnumSet.of(
          ConditionKey.Kind.REQUEST_OBJECT_TAG,
          ConditionKey.Kind.REQUEST_OBJECT_TAG_KEYS,
          ConditionKey.Kind.X_AMZ_ACL,
          ConditionKey.Kind.X_AMZ_METADATA_DIRECTIVE,
          ConditionKey.Kind.X_AMZ_SERVER_SIDE_ENCRYPTION,
          ConditionKey.Kind.X_AMZ_SERVER_SIDE_ENCRYPTION_AWS_KMS_KEY_ID,
          ConditionKey.Kind.X_AMZ_SERVER_SIDE_ENCRYPTION_CUSTOMER_ALGORITHM,
          ConditionKey.Kind.X_AMZ_STORAGE_CLASS);

  private static final Set<ConditionKey.Kind> OF_TAGS =
      EnumSet.of(ConditionKey.Kind.REQUEST_OBJECT_TAG, ConditionKey.Kind.REQUEST_OBJECT_TAG_KEYS);

  @Override
  public boolean isUndecided(ConditionKey key) {
    return switch (demand.undecided()) {
      case NOTHING -> false;
      case OF_UPLOAD -> OF_UPLOAD.contains(key.kind()) && of(key).isEmpty();
      case TAGS_OF_BODY -> OF_TAGS.contains(key.kind()) && access.bodyTags(demand).isEmpty();
    };
  }

  @Override
  public List<String> of(ConditionKey key) {
    Caller caller = access.caller();
    return switch (key.kind()) {
      case CURRENT_TIME -> List.of(access.clock().instant().toString());
      case EPOCH_TIME -> List.of(Long.toString(access.clock().instant().getEpochSecond()));
      case PRINCIPAL_ACCOUNT -> known(caller.account());
      case PRINCIPAL_ARN -> caller.isAnonymous() ? List.of() : List.of(caller.arn());
      case PRINCIPAL_TYPE -> List.of(typeOf(caller));
      case USER_ID -> List.of(idOf(caller));
      case USER_NAME -> known(caller.user());
      case RESOURCE_ACCOUNT -> owner();
      case SECURE_TRANSPORT -> List.of(Boolean.toString(head.isSecure()));
      case SOURCE_IP -> address(head.remote());
      case REFERER -> header("referer");
      case USER_AGENT -> header("user-agent");
      case AUTH_TYPE -> authType();
      case SIGNATURE_VERSION -> caller.isAnonymous() ? List.of() : List.of(SigV4.ALGORITHM);
      case PREFIX -> prefix.isPresent() ? List.of(prefix.get()) : query("prefix");
      case DELIMITER -> prefix.isPresent() ? List.of() : query("delimiter");
      case MAX_KEYS -> prefix.isPresent() ? List.of() : query("max-keys");
      case VERSION_ID -> known(demand.versionId());
      case EXISTING_OBJECT_TAG -> value(labels(), key.tag());
      case REQUEST_OBJECT_TAG -> value(tags(), key.tag());
      case REQUEST_OBJECT_TAG_KEYS -> List.copyOf(tags().keySet());
      case X_AMZ_COPY_SOURCE -> copySource();
      case X_AMZ_ACL -> header(HttpNames.AMZ_ACL);
      case X_AMZ_CONTENT_SHA256 -> header(HttpNames.AMZ_CONTENT_SHA256);
      case X_AMZ_METADATA_DIRECTIVE -> header(HttpNames.AMZ_METADATA_DIRECTIVE);
      case X_AMZ_SERVER_SIDE_ENCRYPTION -> header(HttpNames.AMZ_SSE);
      case X_AMZ_SERVER_SIDE_ENCRYPTION_AWS_KMS_KEY_ID ->
          header(HttpNames.AMZ_SSE + "-aws-kms-key-id");
      case X_AMZ_SERVER_SIDE_ENCRYPTION_CUSTOMER_ALGORITHM ->
          header(HttpNames.AMZ_SSE + HttpNames.SSE_C_ALGORITHM);
      case X_AMZ_STORAGE_CLASS -> header(HttpNames.AMZ_STORAGE_CLASS);
    };
  }

  private static List<String> known(String value) {
    return value.isEmpty() ? List.of() : List.of(value);
  }

  private static String typeOf(Caller caller) {
    return caller.isAnonymous() ? "Anonymous" : caller.isRoot() ? "Account" : "User";
  }

  private static String idOf(Caller caller) {
    return caller.isAnonymous() ? "anonymous" : caller.isRoot() ? caller.account() : caller.user();
  }

  private List<String> owner() {
    try {
      return List.of(access.ownerOf(demand.bucket()).id());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> address(InetAddress remote) {
    if (remote == null) {
      return List.of();
    }
    String text = remote.getHostAddress();
    int zone = text.indexOf('%');
    return List.of(zone < 0 ? text : text.substring(0, zone));
  }

  private List<String> authType() {
    if (access.identity().isAnonymous()) {
      return List.of();
    }
    boolean byHeader = head.headers().contains(HttpNames.AUTHORIZATION);
    boolean byQuery = head.query().contains("X-Amz-Signature");
    return List.of(byHeader ? "REST-HEADER" : byQuery ? "REST-QUERY-STRING" : "POST");
  }

  private List<String> header(String name) {
    return head.headers().first(name).map(List::of).orElse(List.of());
  }

  private List<String> query(String name) {
    return head.query().first(name).map(List::of).orElse(List.of());
  }

  /** Without what is encoded in it, so that one name has one form. */
  private List<String> copySource() {
    Optional<String> header = head.headers().first(HttpNames.AMZ_COPY_SOURCE);
    if (header.isEmpty()) {
      return List.of();
    }
    CopySourceName name = CopySourceName.of(header.get());
    return List.of(name.bucket() + '/' + name.key());
  }

  private static List<String> value(Map<String, String> tags, String key) {
    String value = tags.get(key);
    return value == null ? List.of() : List.of(value);
  }

  private Map<String, String> labels() {
    try {
      return access.labels(demand).map(ObjectLabels::tags).orElse(Map.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> tags() {
    if (demand.undecided() == Undecided.TAGS_OF_BODY) {
      return access.bodyTags(demand).orElse(Map.of());
    }
    Optional<String> header = head.headers().first(HttpNames.AMZ_TAGGING);
    return header.isEmpty() ? Map.of() : access.policy().tags(header.get());
  }
}
