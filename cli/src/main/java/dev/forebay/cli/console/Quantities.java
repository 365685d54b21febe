package dev.forebay.cli.console;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes and durations as people write them. */
public final class Quantities {
  private static final Pattern PARTS =
      Pattern.compile("\\s*([0-9]{1,18}(?:\\.[0-9]{1,9})?)\\s*([A-Za-z]*)\\s*");

  private static final Map<String, Long> BYTES = new LinkedHashMap<>();
  private static final Map<String, Long> NANOS = new LinkedHashMap<>();

  static {
    BYTES.put("tib", 1L << 40);
    BYTES.put("gib", 1L << 30);
    BYTES.put("mib", 1L << 20);
    BYTES.put("kib", 1L << 10);
    BYTES.put("tb", 1_000_000_000_000L);
    BYTES.put("gb", 1_000_000_000L);
    BYTES.put("mb", 1_000_000L);
    BYTES.put("kb", 1_000L);
    BYTES.put("b", 1L);
    BYTES.put("", 1L);
    NANOS.put("h", 3_600_000_000_000L);
    NANOS.put("min", 60_000_000_000L);
    NANOS.put("s", 1_000_000_000L);
    NANOS.put("ms", 1_000_000L);
    NANOS.put("us", 1_000L);
    NANOS.put("ns", 1L);
  }

  private Quantities() {}

  /**
   * Reads a number of bytes: {@code 16GiB}, {@code 1.5MB}, {@code 4096}.
   *
   * @throws IllegalArgumentException if it is something else, or zero
   */
  public static long bytes(String text) {
    long bytes = parse(text, BYTES, "a size such as 64MiB or 16GiB");
    if (bytes < 1) {
      throw new IllegalArgumentException("'" + text + "' is less than a byte");
    }
    return bytes;
  }

  /**
   * Reads a duration: {@code 20ms}, {@code 1.5s}, {@code 2min}.
   *
   * @throws IllegalArgumentException if it is something else; a number without a unit is
   */
  public static Duration duration(String text) {
    if (text.strip().equals("0")) {
      return Duration.ZERO;
    }
    return Duration.ofNanos(parse(text, NANOS, "a duration such as 20ms, 1.5s or 2min"));
  }

  private static long parse(String text, Map<String, Long> units, String expected) {
    Matcher matcher = PARTS.matcher(text);
    if (matcher.matches()) {
      Long unit = units.get(matcher.group(2).toLowerCase(Locale.ROOT));
      if (unit != null) {
        BigDecimal product = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
        try {
          return product.setScale(0, RoundingMode.HALF_UP).longValueExact();
        } catch (ArithmeticException _) {
          throw new IllegalArgumentException("'" + text + "' is too large");
        }
      }
    }
    throw new IllegalArgumentException("'" + text + "' is not " + expected);
  }

  /** The size with the largest unit that divides it, which {@link #bytes} reads back. */
  public static String format(long bytes) {
    for (Map.Entry<String, Long> unit : BYTES.entrySet()) {
      if (unit.getKey().endsWith("ib") && bytes > 0 && bytes % unit.getValue() == 0) {
        String name = unit.getKey();
        return bytes / unit.getValue() + name.substring(0, 1).toUpperCase(Locale.ROOT) + "iB";
      }
    }
    return bytes + "B";
  }

  /** The duration with the largest unit that divides it, which {@link #duration} reads back. */
  public static String format(Duration duration) {
    long nanos = duration.toNanos();
    for (Map.Entry<String, Long> unit : NANOS.entrySet()) {
      if (nanos > 0 && nanos % unit.getValue() == 0) {
        return nanos / unit.getValue() + unit.getKey();
      }
    }
    return "0s";
  }

  /** The size to three digits: 1.53 GiB. */
  public static String rounded(double bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes;
    int unit = 0;
    while (value >= 1023.5 && unit + 1 < units.length) {
      value /= 1024;
      unit++;
    }
    return rounded(value, 3) + " " + units[unit];
  }

  /** The duration to three digits: 12.3 ms. */
  public static String roundedSeconds(double seconds) {
    if (seconds >= 120) {
      return "%.1f min".formatted(seconds / 60);
    }
    if (seconds >= 1) {
      return rounded(seconds, 3) + " s";
    }
    return seconds >= 1e-3 ? rounded(seconds * 1e3, 3) + " ms" : rounded(seconds * 1e6, 3) + " us";
  }

  private static String rounded(double value, int digits) {
    int before = value < 1 ? 1 : (int) Math.log10(value) + 1;
    return ("%." + Math.max(0, digits - before) + "f").formatted(value);
  }
}
