package io.s3rdma.server.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * A condition's operator as a policy writes it, for example {@code
 * ForAnyValue:StringNotLikeIfExists}.
 *
 * @param comparison null for {@code Null}, which asks whether there is a value
 */
record Operator(Comparison comparison, boolean negated, boolean ifExists, Quantifier quantifier) {
  private static final String NULL = "Null";
  private static final String IF_EXISTS = "IfExists";
  private static final String FOR_ALL = "ForAllValues:";
  private static final String FOR_ANY = "ForAnyValue:";

  /** How a request's values count where there may be several. */
  enum Quantifier {
    NONE,
    ALL,
    ANY
  }

  static Operator parse(String text) throws MalformedPolicyException {
    Quantifier quantifier = Quantifier.NONE;
    String name = text;
    if (name.startsWith(FOR_ALL)) {
      quantifier = Quantifier.ALL;
      name = name.substring(FOR_ALL.length());
    } else if (name.startsWith(FOR_ANY)) {
      quantifier = Quantifier.ANY;
      name = name.substring(FOR_ANY.length());
    }
    if (name.equals(NULL) && quantifier == Quantifier.NONE) {
      return new Operator(null, false, false, quantifier);
    }
    boolean ifExists = name.endsWith(IF_EXISTS);
    if (ifExists) {
      name = name.substring(0, name.length() - IF_EXISTS.length());
    }
    for (Comparison comparison : Comparison.values()) {
      if (name.equals(comparison.text())) {
        return new Operator(comparison, false, ifExists, quantifier);
      }
      if (name.equals(comparison.negation()) && !name.isEmpty()) {
        return new Operator(comparison, true, ifExists, quantifier);
      }
    }
    throw new MalformedPolicyException("the condition operator " + text + " is not known here");
  }

  List<Predicate<String>> wanted(List<String> values) throws MalformedPolicyException {
    List<Predicate<String>> wanted = new ArrayList<>(values.size());
    for (String value : values) {
      wanted.add(isNull() ? nullTest(value) : comparison.to(value));
    }
    return List.copyOf(wanted);
  }

  private static Predicate<String> nullTest(String value) throws MalformedPolicyException {
    String lower = value.toLowerCase(Locale.ROOT);
    if (!lower.equals("true") && !lower.equals("false")) {
      throw new MalformedPolicyException("Null needs true or false, not " + value);
    }
    return lower::equals;
  }

  boolean isNull() {
    return comparison == null;
  }

  /** {@code values} are the request's. */
  boolean holds(List<String> values, List<Predicate<String>> wanted) {
    if (isNull()) {
      return isAny(wanted, Boolean.toString(values.isEmpty()));
    }
    if (values.isEmpty()) {
      // What is not there is not what a negation names, and all of nothing hold.
      return ifExists || quantifier == Quantifier.ALL || (negated && quantifier != Quantifier.ANY);
    }
    return switch (quantifier) {
      case ALL -> values.stream().allMatch(value -> isAny(wanted, value) != negated);
      case ANY -> values.stream().anyMatch(value -> isAny(wanted, value) != negated);
      case NONE -> values.stream().anyMatch(value -> isAny(wanted, value)) != negated;
    };
  }

  private static boolean isAny(List<Predicate<String>> wanted, String value) {
    for (Predicate<String> one : wanted) {
      if (one.test(value)) {
        return true;
      }
    }
    return false;
  }
}
