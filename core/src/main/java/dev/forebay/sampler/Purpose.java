package dev.forebay.sampler;

/**
 * What a key is for, in the third place of {@link dev.forebay.memory.Mix64#key}. The numbers lie
 * just above -2^63, so that no key of an order is ever the key of a sample (0 and up) or of a batch
 * (-1 and down).
 */
final class Purpose {
  static final long PERMUTATION = Long.MIN_VALUE + 1;
  static final long WEIGHTED_WITH_REPLACEMENT = Long.MIN_VALUE + 2;
  static final long WEIGHTED_WITHOUT_REPLACEMENT = Long.MIN_VALUE + 3;

  private Purpose() {}
}
