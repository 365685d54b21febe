package dev.forebay.sampler;

import dev.forebay.error.ConfigurationException;

/** A check of sample ids that come from a user's code. */
final class UserIndex {
  private UserIndex() {}

  static long check(long id, long datasetSize, String sampler, long epoch, long position) {
    if (id < 0 || id >= datasetSize) {
      throw new ConfigurationException(
          ("sampler %s gave index %d [epoch=%d position=%d]; the dataset has samples 0 to %d, so"
                  + " mend the sampler")
              .formatted(sampler, id, epoch, position, datasetSize - 1));
    }
    return id;
  }
}
