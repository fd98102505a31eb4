package io.s3rdma.server.policy;

import io.s3rdma.server.net.Subnet;

/**
 * When a statement lets anybody in: it allows everybody, and no condition holds them to callers or
 * networks that it names without wildcards. A network of more than a 256th of all IPv4 addresses,
 * or one of IPv6 above /32, counts as all.
 */
final class Publicity {
  private static final int IPV4_BITS = 32;
  private static final int IPV4_PREFIX_MIN = 8;
  private static final int IPV6_PREFIX_MIN = 32;

  private Publicity() {}

  static boolean isPublic(Statement statement) {
    return !statement.denies()
        && statement.principals().everybody()
        && statement.conditions().stream().noneMatch(Publicity::isNarrow);
  }

  private static boolean isNarrow(Condition condition) {
    Operator operator = condition.operator();
    if (operator.isNull()
        || operator.negated()
        || operator.ifExists()
        || operator.quantifier() == Operator.Quantifier.ALL) {
      return false;
    }
    return switch (condition.key().kind()) {
      case SOURCE_IP ->
          operator.comparison() == Comparison.IP_ADDRESS
              && condition.fixed().stream().allMatch(Publicity::isSmall);
      case PRINCIPAL_ACCOUNT, PRINCIPAL_ARN, USER_ID, USER_NAME ->
          condition.fixed().stream().allMatch(Publicity::isWithoutWildcard);
      default -> false;
    };
  }

  private static boolean isSmall(String network) {
    Subnet subnet = Subnet.parse(network);
    boolean ipv4 = subnet.network().getAddress().length * Byte.SIZE == IPV4_BITS;
    return subnet.prefixBits() >= (ipv4 ? IPV4_PREFIX_MIN : IPV6_PREFIX_MIN);
  }

  private static boolean isWithoutWildcard(String value) {
    return value.indexOf('*') < 0 && value.indexOf('?') < 0;
  }
}
