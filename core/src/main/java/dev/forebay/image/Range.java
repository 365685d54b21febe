package dev.forebay.image;

/**
 * The smallest and the largest value of a random number.
 *
 * @param min inclusive
 * @param max at least {@code min}
 */
public record Range(double min, double max) {
  /** Checks the order. */
  public Range {
    ImageField.check(min <= max, "range", "[" + min + ", " + max + "]", "in ascending order");
  }

  /** One value only. */
  public static Range of(double value) {
    return new Range(value, value);
  }

  /** All values that differ from {@code middle} by {@code distance} at most. */
  public static Range around(double middle, double distance) {
    return new Range(middle - distance, middle + distance);
  }

  @Override
  public String toString() {
    return "[" + min + ", " + max + "]";
  }
}
