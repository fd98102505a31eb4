package io.s3rdma.server.store;

import java.util.Arrays;

/** What listings of keys share: where to begin and what a delimiter folds. Keys are octets. */
final class Keys {
  private Keys() {}

  /** Where to begin: behind {@code after}, and behind all it stands for if it is a prefix. */
  static byte[] first(byte[] prefix, byte[] delimiter, byte[] after) {
    if (after.length == 0 || Arrays.compareUnsigned(after, prefix) < 0) {
      return prefix;
    }
    boolean isCommonPrefix = endOfCommonPrefix(after, prefix, delimiter) == after.length;
    return isCommonPrefix ? Utf8.successor(after) : Arrays.copyOf(after, after.length + 1);
  }

  /** Where the key's common prefix ends; -1 if the key stands for itself. */
  static int endOfCommonPrefix(byte[] key, byte[] prefix, byte[] delimiter) {
    if (delimiter.length == 0 || !Utf8.startsWith(key, prefix)) {
      return -1;
    }
    int at = Utf8.indexOf(key, delimiter, prefix.length);
    return at < 0 ? -1 : at + delimiter.length;
  }
}
