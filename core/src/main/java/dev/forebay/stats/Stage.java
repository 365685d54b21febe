package dev.forebay.stats;

/**
 * The part of the pipeline to which work, a wait or an error belongs.
 *
 * <p>The consumer's waits are attributed to exactly these stages.
 */
public enum Stage {
  /** Bytes are read from a file or an object store. */
  STORAGE("storage"),
  /** Bytes are looked up in or copied out of a cache tier. */
  CACHE("cache"),
  /** Encoded bytes become values, for example a JPEG becomes pixels. */
  DECODE("decode"),
  /** Values become other values: crop, resize, normalise, a user's own code, collation. */
  TRANSFORM("transform"),
  /** A finished batch changes hands, or the consumer holds every row there is. */
  HAND_OFF("hand_off");

  private final String label;

  Stage(String label) {
    this.label = label;
  }

  /** The stable, lower-case name used in reports, JSON and messages. */
  public String label() {
    return label;
  }
}
