package io.s3rdma.server.policy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A text with {@code *} for any characters, also none and also slashes, and {@code ?} for one. All
 * places where the text could be are followed at once, as bits, so that a hostile pattern takes no
 * longer than another: 64 of its characters a step.
 */
final class Wildcard {
  private static final int WORD = 64;

  private final String pattern;
  // Where there are no wildcards but stars at the end, which is the common case; else null.
  private final String start;
  private final boolean exact;
  private final int length;
  // Bit i: the character at i + 1 may be skipped to from i, by this character or by any.
  private final Map<Integer, long[]> byCharacter = new HashMap<>();
  private final long[] byAny;
  // Bit i: a star stands behind the i characters before, so that the place may stay.
  private final long[] stays;

  private Wildcard(String pattern) {
    this.pattern = pattern;
    int[] characters = pattern.codePoints().toArray();
    this.length = (int) Arrays.stream(characters).filter(c -> c != '*').count();
    int words = length / WORD + 1;
    this.byAny = new long[words];
    this.stays = new long[words];
    int at = 0;
    for (int character : characters) {
      if (character == '*') {
        set(stays, at);
      } else {
        set(character == '?' ? byAny : mask(character, words), at);
        at++;
      }
    }
    // What any character does, each named one does as well.
    for (long[] mask : byCharacter.values()) {
      for (int i = 0; i < words; i++) {
        mask[i] |= byAny[i];
      }
    }
    String plain = pattern.endsWith("*") ? pattern.replaceFirst("\\*+$", "") : pattern;
    this.exact = plain.length() == pattern.length();
    this.start = plain.indexOf('*') < 0 && plain.indexOf('?') < 0 ? plain : null;
  }

  static Wildcard of(String pattern) {
    return new Wildcard(pattern);
  }

  private long[] mask(int character, int words) {
    return byCharacter.computeIfAbsent(character, _ -> new long[words]);
  }

  boolean matches(String text) {
    if (start != null) {
      return exact ? text.equals(start) : text.startsWith(start);
    }
    if (length > text.length()) {
      return false;
    }
    return isSet(after(text), length);
  }

  /** Whether it matches something that begins with this text. */
  boolean matchesBeginning(String text) {
    for (long word : after(text)) {
      if (word != 0) {
        return true;
      }
    }
    return false;
  }

  /** The places in the pattern that the whole text leads to. */
  private long[] after(String text) {
    long[] places = new long[byAny.length];
    set(places, 0);
    for (int i = 0; i < text.length(); ) {
      int character = text.codePointAt(i);
      step(places, byCharacter.getOrDefault(character, byAny));
      i += Character.charCount(character);
    }
    return places;
  }

  private void step(long[] places, long[] forward) {
    long carry = 0;
    for (int word = 0; word < places.length; word++) {
      long moved = places[word] & forward[word];
      places[word] = (places[word] & stays[word]) | (moved << 1) | carry;
      carry = moved >>> (WORD - 1);
    }
  }

  private static void set(long[] bits, int at) {
    bits[at / WORD] |= 1L << (at % WORD);
  }

  private static boolean isSet(long[] bits, int at) {
    return (bits[at / WORD] & 1L << (at % WORD)) != 0;
  }

  @Override
  public String toString() {
    return pattern;
  }
}
