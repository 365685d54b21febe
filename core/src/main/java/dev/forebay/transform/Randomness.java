package dev.forebay.transform;

/**
 * Counter-based random numbers: the n-th number drawn for an operation is a pure function of (seed,
 * epoch, sample, operation, n). There is no stream shared between samples, so neither the number of
 * workers nor the order of their work can change a result. Confined to one thread; reused.
 *
 * <p>Algorithm: the key is four rounds of the SplitMix64 finaliser over seed, epoch, sample and
 * operation; the n-th number is that finaliser applied to key + n * 0x9E3779B97F4A7C15 (G. Steele,
 * D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014; constants of D.
 * Stafford's variant 13). {@code docs/determinism.md} specifies it with test vectors.
 */
public final class Randomness {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;
  private static final double DOUBLE_UNIT = 0x1.0p-53;

  private long sampleKey;
  private long key;
  private long counter;

  /** The finaliser of SplitMix64, a bijection on 64 bits. */
  public static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A key made of three numbers, for randomness that belongs to no sample. */
  public static long key(long seed, long epoch, long purpose) {
    return mix(mix(mix(seed + GOLDEN_GAMMA) ^ epoch) + GOLDEN_GAMMA ^ purpose);
  }

  /** Starts the numbers of one sample in one epoch, at operation 0. */
  public void startSample(long seed, long epoch, long sample) {
    sampleKey = key(seed, epoch, sample);
    startOperation(0);
  }

  /** Starts the numbers of one operation on the current sample. */
  public void startOperation(int operation) {
    key = mix(sampleKey + GOLDEN_GAMMA * (operation + 1L));
    counter = 0;
  }

  /** 64 uniformly distributed bits. */
  public long nextLong() {
    counter++;
    return mix(key + counter * GOLDEN_GAMMA);
  }

  /** A number in [0, 1), a multiple of 2^-53. */
  public double nextDouble() {
    return (nextLong() >>> 11) * DOUBLE_UNIT;
  }

  /** A number in [low, high). */
  public double nextDouble(double low, double high) {
    return low + (high - low) * nextDouble();
  }

  /** An integer in [0, bound), without bias beyond 2^-32; {@code bound} is at least 1. */
  public int nextInt(int bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("bound=" + bound + " must be >= 1");
    }
    return (int) Math.unsignedMultiplyHigh(nextLong(), Integer.toUnsignedLong(bound));
  }

  /** True with the given probability. */
  public boolean nextBoolean(double probability) {
    return nextDouble() < probability;
  }

  /** A normally distributed number, mean 0, deviation 1 (Box-Muller; two numbers are drawn). */
  public double nextGaussian() {
    double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - nextDouble()));
    return radius * StrictMath.cos(2 * Math.PI * nextDouble());
  }
}
