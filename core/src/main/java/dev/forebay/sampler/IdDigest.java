package dev.forebay.sampler;

import dev.forebay.memory.Mix64;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A digest of a multiset of sample ids: how many there are, and two sums, modulo 2^64, of their
 * mixed values. Immutable.
 *
 * @param count the number of ids, each as often as it occurs
 * @param high the sum of {@code first(id)}
 * @param low the sum of {@code second(first(id))}
 */
public record IdDigest(long count, long high, long low) {
  /** The digest of no id. */
  public static final IdDigest EMPTY = new IdDigest(0, 0, 0);

  private static final Pattern FORM = Pattern.compile("([0-9]{1,19}):([0-9a-f]{16})([0-9a-f]{16})");

  /**
   * What an id adds to the first sum. A bijection, so that no exchange of two ids passes unseen.
   */
  static long first(long id) {
    return Mix64.mix(id + Mix64.GOLDEN_GAMMA);
  }

  /** What an id adds to the second sum. */
  static long second(long first) {
    return Mix64.mix(first + Mix64.GOLDEN_GAMMA);
  }

  /** The digest of both multisets together. */
  public IdDigest plus(IdDigest other) {
    return new IdDigest(count + other.count, high + other.high, low + other.low);
  }

  /** The count, a colon, and both sums as 32 hexadecimal digits. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%d:%016x%016x", count, high, low);
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static IdDigest parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is no digest; expected a count, a colon and 32 hexadecimal digits");
    }
    return new IdDigest(
        Long.parseLong(form.group(1)),
        Long.parseUnsignedLong(form.group(2), 16),
        Long.parseUnsignedLong(form.group(3), 16));
  }
}
