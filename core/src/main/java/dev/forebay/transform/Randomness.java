package dev.forebay.transform;

import dev.forebay.memory.Mix64;

/**
 * Counter-based random numbers: the n-th number drawn for an operation is a pure function of (seed,
 * epoch, sample, operation, n). There is no stream shared between samples, so neither the number of
 * workers nor the order of their work can change a result. Confined to one thread; reused.
 *
 * <p>Algorithm: the key is four rounds of {@link Mix64#mix} over seed, epoch, sample and operation;
 * the n-th number is that function applied to key + n * {@link Mix64#GOLDEN_GAMMA}. {@code
 * docs/determinism.md} specifies it with test vectors.
 */
public final class Randomness {
  private long sampleKey;
  private long key;
  private long counter;

  /** Starts the numbers of one sample in one epoch, at operation 0. */
  public void startSample(long seed, long epoch, long sample) {
    sampleKey = Mix64.key(seed, epoch, sample);
    startOperation(0);
  }

  /** Starts the numbers of one operation on the current sample. */
  public void startOperation(int operation) {
    key = Mix64.number(sampleKey, operation + 1L);
    counter = 0;
  }

  /** 64 uniformly distributed bits. */
  public long nextLong() {
    counter++;
    return Mix64.number(key, counter);
  }

  /** A number in [0, 1), a multiple of 2^-53. */
  public double nextDouble() {
    return Mix64.unit(nextLong());
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
