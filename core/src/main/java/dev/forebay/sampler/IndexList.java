package dev.forebay.sampler;

import dev.forebay.error.ConfigurationException;
import dev.forebay.memory.Mix64;

/** A list of sample ids with what is needed to check and to identify it. Immutable. */
final class IndexList {
  private final long[] indices;
  private final long max;
  private final long hash;

  IndexList(long[] indices) {
    this.indices = indices.clone();
    long largest = -1;
    long mixed = indices.length;
    for (int position = 0; position < indices.length; position++) {
      long index = indices[position];
      if (index < 0) {
        throw new IllegalArgumentException(
            "index " + index + " at position " + position + " must be >= 0");
      }
      largest = Math.max(largest, index);
      mixed = Mix64.mix(mixed + Mix64.GOLDEN_GAMMA ^ index);
    }
    this.max = largest;
    this.hash = mixed;
  }

  int size() {
    return indices.length;
  }

  long at(long position) {
    return indices[Math.toIntExact(position)];
  }

  void checkFits(long datasetSize) {
    if (max >= datasetSize) {
      throw new ConfigurationException(
          "the sampler's largest index is %d, but the dataset has %d samples, 0 to %d"
              .formatted(max, datasetSize, datasetSize - 1));
    }
  }

  @Override
  public String toString() {
    return "indices=%d:%016x".formatted(indices.length, hash);
  }
}
