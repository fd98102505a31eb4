package io.s3rdma.server.policy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whom a statement is about.
 *
 * @param everybody those without a signature, too
 * @param accounts all of whose keys it is about
 */
record Principals(boolean everybody, Set<String> accounts, Set<Caller> users) {
  static final String ARN_PREFIX = "arn:aws:iam::";
  static final String ROOT = ":root";
  static final String USER = ":user/";

  private static final String EVERYBODY = "*";
  // Those of the keys file.
  private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern ARN =
      Pattern.compile(
          Pattern.quote(ARN_PREFIX)
              + "("
              + ACCOUNT
              + ")(?:"
              + ROOT
              + "|"
              + USER
              + "([!-~]{1,128}))");

  /** How a caller is among them. */
  enum Match {
    NOT,
    AS_ITSELF,
    BY_ACCOUNT
  }

  static Principals parse(JsonNode node) throws MalformedPolicyException {
    if (node.isTextual() && node.textValue().equals(EVERYBODY)) {
      return new Principals(true, Set.of(), Set.of());
    }
    if (!node.isObject() || node.isEmpty()) {
      throw new MalformedPolicyException("Principal must be \"*\" or {\"AWS\": ...}");
    }
    Names names = new Names();
    for (var field : node.properties()) {
      if (!field.getKey().equals("AWS")) {
        throw new MalformedPolicyException(
            "Principal " + field.getKey() + " is not supported here; name accounts by AWS");
      }
      for (String name : Texts.of(field.getValue(), "Principal")) {
        names.add(name);
      }
    }
    return new Principals(names.everybody, Set.copyOf(names.accounts), Set.copyOf(names.users));
  }

  Match match(Caller caller) {
    if (everybody) {
      return Match.AS_ITSELF;
    }
    if (caller.isAnonymous()) {
      return Match.NOT;
    }
    if (!caller.isRoot() && users.contains(caller)) {
      return Match.AS_ITSELF;
    }
    if (!accounts.contains(caller.account())) {
      return Match.NOT;
    }
    return caller.isRoot() ? Match.AS_ITSELF : Match.BY_ACCOUNT;
  }

  /** While reading. */
  private static final class Names {
    private boolean everybody;
    private final Set<String> accounts = new HashSet<>();
    private final Set<Caller> users = new HashSet<>();

    void add(String name) throws MalformedPolicyException {
      Matcher arn = ARN.matcher(name);
      if (name.equals(EVERYBODY)) {
        everybody = true;
      } else if (arn.matches() && arn.group(2) != null && !hasWildcard(arn.group(2))) {
        users.add(new Caller(arn.group(1), arn.group(2)));
      } else if (arn.matches() && arn.group(2) == null) {
        accounts.add(arn.group(1));
      } else if (ACCOUNT.matcher(name).matches()) {
        accounts.add(name);
      } else {
        throw new MalformedPolicyException(
            "Principal "
                + name
                + " is not an account, arn:aws:iam::ACCOUNT:root, arn:aws:iam::ACCOUNT:user/KEY"
                + " or *");
      }
    }

    private static boolean hasWildcard(String user) {
      return user.indexOf('*') >= 0 || user.indexOf('?') >= 0;
    }
  }
}
