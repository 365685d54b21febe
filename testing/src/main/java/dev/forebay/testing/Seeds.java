package dev.forebay.testing;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * The master seed of a test run, from which every random choice of every test derives. Thread-safe.
 *
 * <p>It is fresh in each run unless {@code -Dtests.seed=...} gives it, and {@link SeedReport} adds
 * it to each failure, ready to paste. What a test draws depends on the master seed and the test's
 * own labels only, never on which tests ran before it, so one test alone can be replayed.
 */
public final class Seeds {
  /** The system property that fixes the master seed: decimal or {@code 0x} hexadecimal. */
  public static final String PROPERTY = "tests.seed";

  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final long MASTER = parse(System.getProperty(PROPERTY, ""));

  /* Written by any test's thread, read by SeedReport; a late read would only omit a hint. */
  private static volatile boolean used;

  private Seeds() {}

  /** The master seed of this run. */
  public static long master() {
    used = true;
    return MASTER;
  }

  /** A random source of its own for what {@code label} names, the same whenever it is asked for. */
  public static SplittableRandom random(String label) {
    return new SplittableRandom(derive(label));
  }

  /** A seed of its own for what {@code label} names. */
  public static long derive(String label) {
    CRC32C crc = new CRC32C();
    crc.update(label.getBytes(StandardCharsets.UTF_8));
    return derive(master(), crc.getValue());
  }

  /** The {@code index}-th seed that follows from {@code seed}. */
  public static long derive(long seed, long index) {
    return new SplittableRandom(seed + index * GOLDEN_GAMMA).nextLong();
  }

  /** The option that repeats this run, such as {@code -Dtests.seed=0x1f}. */
  public static String option() {
    return "-D" + PROPERTY + "=" + hex(MASTER);
  }

  /** True once a test has drawn anything from the master seed. */
  static boolean isUsed() {
    return used;
  }

  static String hex(long seed) {
    return "0x" + Long.toHexString(seed);
  }

  /** Reads a seed; an empty text asks for a fresh one. */
  static long parse(String text) {
    if (text.isBlank()) {
      return new SecureRandom().nextLong();
    }
    String digits = text.strip();
    try {
      return digits.startsWith("0x")
          ? Long.parseUnsignedLong(digits.substring(2), 16)
          : Long.parseLong(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          PROPERTY + "=" + text + " is no seed; give a decimal number or 0x and hexadecimals", e);
    }
  }
}
