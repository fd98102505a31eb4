package io.s3rdma.server;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigList;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigOrigin;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.s3rdma.server.http.AccessKey;
import io.s3rdma.server.http.Account;
import io.s3rdma.server.http.Grant;
import io.s3rdma.server.http.Right;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads the keys file. Every refusal says line and field, and never what stands there: a secret may
 * have come into the wrong field.
 *
 * <pre>
 *   keys = [
 *     { access-key = ..., secret-key = ..., account = ..., display-name = ...,
 *       rights = [ { bucket = ..., prefix = ..., allow = [ read, write, list, admin ] } ] }
 *   ]
 * </pre>
 */
final class KeysFile {
  private static final Set<String> KEY_FIELDS =
      Set.of("access-key", "secret-key", "account", "display-name", "rights");
  private static final Set<String> RIGHT_FIELDS = Set.of("bucket", "prefix", "allow");
  // A comma would end it in an Authorization header.
  private static final Pattern ACCESS_KEY = Pattern.compile("[!-+\\--~]{1,128}");
  private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9._-]*\\*|[A-Za-z0-9._-]+");

  private final Path file;
  private final Map<String, Account> accounts = new HashMap<>();

  private KeysFile(Path file) {
    this.file = file;
  }

  /**
   * @throws ConfigException if the file cannot be used as a whole
   */
  static List<AccessKey> read(Path file) {
    return new KeysFile(file).read();
  }

  private List<AccessKey> read() {
    if (!Files.isReadable(file)) {
      throw new ConfigException(
          "keys file " + file + " cannot be read; see auth.keys-file and the file's permissions");
    }
    ConfigObject root = parse().root();
    requireKnown(root, Set.of("keys"), "");
    if (!(root.get("keys") instanceof ConfigList list)) {
      throw new ConfigException("keys file " + file + ": a list 'keys = [ ... ]' is needed");
    }
    List<AccessKey> keys = new ArrayList<>();
    Map<String, String> placeById = new HashMap<>();
    // Names first, so that one key may name its account for all.
    for (int i = 0; i < list.size(); i++) {
      nameAccount(object(list.get(i), "keys[" + i + "]"), "keys[" + i + "]");
    }
    for (int i = 0; i < list.size(); i++) {
      String place = "keys[" + i + "]";
      AccessKey key = key(object(list.get(i), place), place);
      String before = placeById.put(key.id(), place);
      if (before != null) {
        throw bad(list.get(i).origin(), place + ".access-key", "is that of " + before + " too");
      }
      keys.add(key);
    }
    return keys;
  }

  private Config parse() {
    try {
      ConfigParseOptions options = ConfigParseOptions.defaults().setAllowMissing(false);
      return ConfigFactory.parseFile(file.toFile(), options).resolve();
    } catch (com.typesafe.config.ConfigException e) {
      // Its message quotes the text, which may be a secret; so it is no cause either.
      throw bad(e.origin(), "", "is not well-formed HOCON or JSON, or a ${...} has no value");
    }
  }

  private void nameAccount(ConfigObject key, String place) {
    String id = accountId(key, place);
    if (!key.containsKey("display-name")) {
      return;
    }
    String field = place + ".display-name";
    String name = text(key.get("display-name"), field);
    Account before = accounts.put(id, new Account(id, name));
    if (before != null && !before.displayName().equals(name)) {
      throw bad(
          key.get("display-name").origin(), field, "differs from another key's of the account");
    }
  }

  private AccessKey key(ConfigObject key, String place) {
    requireKnown(key, KEY_FIELDS, place + ".");
    String id = matching(required(key, "access-key", place), ACCESS_KEY, place + ".access-key");
    String secret = text(required(key, "secret-key", place), place + ".secret-key");
    if (secret.isBlank()) {
      throw bad(key.get("secret-key").origin(), place + ".secret-key", "must not be empty");
    }
    String accountId = accountId(key, place);
    Account account = accounts.getOrDefault(accountId, new Account(accountId, accountId));
    List<Grant> grants =
        key.containsKey("rights")
            ? grants(key.get("rights"), place + ".rights")
            : List.of(Grant.ALL);
    return new AccessKey(id, secret, account, grants);
  }

  private String accountId(ConfigObject key, String place) {
    return key.containsKey("account")
        ? matching(key.get("account"), ACCOUNT, place + ".account")
        : Account.DEFAULT.id();
  }

  private List<Grant> grants(ConfigValue value, String place) {
    ConfigList list = list(value, place);
    List<Grant> grants = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      String at = place + "[" + i + "]";
      ConfigObject grant = object(list.get(i), at);
      requireKnown(grant, RIGHT_FIELDS, at + ".");
      String bucket = matching(required(grant, "bucket", at), BUCKET, at + ".bucket");
      String prefix = grant.containsKey("prefix") ? text(grant.get("prefix"), at + ".prefix") : "";
      Set<Right> rights =
          grant.containsKey("allow")
              ? rights(grant.get("allow"), at + ".allow")
              : Grant.ALL.rights();
      grants.add(new Grant(bucket, prefix, rights));
    }
    return grants;
  }

  private Set<Right> rights(ConfigValue value, String place) {
    Set<Right> rights = EnumSet.noneOf(Right.class);
    for (ConfigValue item : list(value, place)) {
      String name = text(item, place).toUpperCase(Locale.ROOT);
      boolean known = false;
      for (Right right : Right.values()) {
        if (right.name().equals(name)) {
          known = rights.add(right) || rights.contains(right);
        }
      }
      if (!known) {
        throw bad(item.origin(), place, "may hold read, write, list and admin");
      }
    }
    return rights;
  }

  private ConfigValue required(ConfigObject object, String field, String place) {
    ConfigValue value = object.get(field);
    if (value == null) {
      throw bad(object.origin(), place + "." + field, "is missing");
    }
    return value;
  }

  private String matching(ConfigValue value, Pattern form, String place) {
    String text = text(value, place);
    if (!form.matcher(text).matches()) {
      throw bad(value.origin(), place, "must match " + form);
    }
    return text;
  }

  /** A bare number has lost its leading zeros and its exponent, so it is no text. */
  private String text(ConfigValue value, String place) {
    if (value.valueType() != ConfigValueType.STRING) {
      throw bad(value.origin(), place, "must be text; put it in quotes");
    }
    return (String) value.unwrapped();
  }

  private ConfigList list(ConfigValue value, String place) {
    if (value instanceof ConfigList list) {
      return list;
    }
    throw bad(value.origin(), place, "must be a list");
  }

  private ConfigObject object(ConfigValue value, String place) {
    if (value instanceof ConfigObject object) {
      return object;
    }
    throw bad(value.origin(), place, "must be an object { ... }");
  }

  private void requireKnown(ConfigObject object, Set<String> known, String place) {
    for (Map.Entry<String, ConfigValue> field : object.entrySet()) {
      if (!known.contains(field.getKey())) {
        throw bad(field.getValue().origin(), place + "?", "has a field that is none of " + known);
      }
    }
  }

  private ConfigException bad(ConfigOrigin origin, String field, String why) {
    int line = origin == null ? -1 : origin.lineNumber();
    String where = line > 0 ? " line " + line : "";
    String what = field.isEmpty() ? " " : ": " + field + " ";
    return new ConfigException("keys file " + file + where + what + why);
  }
}
