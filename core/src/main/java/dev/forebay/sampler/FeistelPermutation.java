package dev.forebay.sampler;

import dev.forebay.memory.Mix64;
import java.util.Objects;

/**
 * A pseudorandom permutation of 0 to {@code size - 1}, keyed by a seed and an epoch, and its
 * inverse; both in constant time and memory. Immutable and thread-safe; neither direction
 * allocates.
 */
public final class FeistelPermutation implements EpochOrder {
  /** The largest size: 2^62. */
  public static final long SIZE_MAX = 1L << 62;

  /*
   * Design: an unbalanced Feistel network with cycle walking (J. Black, P. Rogaway, "Ciphers with
   * arbitrary finite domains", CT-RSA 2002). A value is split into its lowest k bits and the
   * rest: k is half the bits of size - 1, so the rest is below ceil(size / 2^k), and the network's
   * domain exceeds the size by less than 2^k, at most sqrt(size). A value that falls outside is
   * sent through again, which therefore hardly ever happens, and needs no division, which would
   * cost more than several rounds.
   *
   * Rounds alternate: the high part gets a mixed low part added (modulo the number of high
   * parts), the low part gets the mixed high part XORed. Eight rounds leave nothing measurable for
   * ordinary sizes. In a tiny domain a round has few functions to choose from: with eight, one of
   * the 720 orders of six samples comes up 1.9 times too often, with 24 none by more than 1 %.
   */
  private static final int ROUNDS = 8;
  private static final int ROUNDS_SMALL = 24;
  private static final long SMALL_SIZE = 64;

  private final long size;
  private final int lowBits;
  private final long lowMask;
  private final long highSize;
  private final long[] roundKeys;

  private FeistelPermutation(long size, long key) {
    this.size = size;
    this.lowBits = (Long.SIZE - Long.numberOfLeadingZeros(Math.max(size, 1) - 1)) / 2;
    this.lowMask = (1L << lowBits) - 1;
    this.highSize = (size + lowMask) >>> lowBits;
    this.roundKeys = new long[size < SMALL_SIZE ? ROUNDS_SMALL : ROUNDS];
    for (int round = 0; round < roundKeys.length; round++) {
      roundKeys[round] = Mix64.number(key, round + 1L);
    }
  }

  /**
   * The permutation of one epoch.
   *
   * @param size 0 to {@link #SIZE_MAX}
   * @param seed any number
   * @param epoch any number; each epoch has its own permutation
   */
  public static FeistelPermutation of(long size, long seed, long epoch) {
    if (size < 0 || size > SIZE_MAX) {
      throw new IllegalArgumentException("size=" + size + " must be 0 to 2^62");
    }
    return new FeistelPermutation(size, Mix64.key(seed, epoch, Purpose.PERMUTATION));
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public long at(long position) {
    Objects.checkIndex(position, size);
    long value = position;
    do {
      value = encrypt(value);
    } while (value >= size);
    return value;
  }

  @Override
  public boolean isInvertible() {
    return true;
  }

  @Override
  public long positionOf(long sample) {
    if (sample < 0 || sample >= size) {
      return NOT_USED;
    }
    long value = sample;
    do {
      value = decrypt(value);
    } while (value >= size);
    return value;
  }

  private long encrypt(long value) {
    long low = value & lowMask;
    long high = value >>> lowBits;
    for (int round = 0; round < roundKeys.length; round += 2) {
      high += addend(round, low);
      if (high >= highSize) {
        high -= highSize;
      }
      low ^= mask(round + 1, high);
    }
    return high << lowBits | low;
  }

  private long decrypt(long value) {
    long low = value & lowMask;
    long high = value >>> lowBits;
    for (int round = roundKeys.length - 2; round >= 0; round -= 2) {
      low ^= mask(round + 1, high);
      high -= addend(round, low);
      if (high < 0) {
        high += highSize;
      }
    }
    return high << lowBits | low;
  }

  /** A number from 0 to {@code highSize - 1}. */
  private long addend(int round, long low) {
    return Math.unsignedMultiplyHigh(Mix64.mix(roundKeys[round] + low), highSize);
  }

  private long mask(int round, long high) {
    return Mix64.mix(roundKeys[round] + high) & lowMask;
  }
}
