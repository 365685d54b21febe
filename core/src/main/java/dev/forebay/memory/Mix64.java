package dev.forebay.memory;

/**
 * The 64-bit mixing function behind every random number and every digest of Forebay, and the keys
 * made with it. Stateless and thread-safe; all arithmetic wraps around modulo 2^64.
 *
 * <p>It is the finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014) with the constants of D. Stafford's variant 13. It lies in the
 * lowest room because order, transforms and checksums share it. {@code docs/determinism.md}
 * specifies it with test vectors.
 */
public final class Mix64 {
  /** The odd integer nearest to 2^64 divided by the golden ratio. */
  public static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private static final double DOUBLE_UNIT = 0x1.0p-53;

  private Mix64() {}

  /** A bijection on 64 bits in which every input bit affects every output bit. */
  public static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /**
   * A key made of three numbers. Sample ids, which are never negative, and the negative purposes
   * that {@code docs/determinism.md} lists share the last place.
   */
  public static long key(long seed, long epoch, long purpose) {
    return mix((mix(mix(seed + GOLDEN_GAMMA) ^ epoch) + GOLDEN_GAMMA) ^ purpose);
  }

  /** The {@code counter}-th number of a key: 64 uniformly distributed bits. */
  public static long number(long key, long counter) {
    return mix(key + counter * GOLDEN_GAMMA);
  }

  /** The upper 53 of 64 bits as a number in [0, 1), a multiple of 2^-53. */
  public static double unit(long bits) {
    return (bits >>> 11) * DOUBLE_UNIT;
  }
}
