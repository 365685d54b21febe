package dev.forebay.image;

/** What lies beyond an image's edge. */
public enum Padding {
  /** One colour. */
  CONSTANT,
  /** The pixel at the edge, repeated. */
  EDGE,
  /** The image mirrored, without repeating the pixel at the edge. */
  REFLECT,
  /** The image mirrored, with the pixel at the edge repeated. */
  SYMMETRIC;

  /** Marks a place that no pixel fills. */
  static final int OUTSIDE = -1;

  /** The pixel, 0 to {@code extent - 1}, that lies at a place, or {@link #OUTSIDE}. */
  int source(int place, int extent) {
    if (place >= 0 && place < extent) {
      return place;
    }
    return switch (this) {
      case CONSTANT -> OUTSIDE;
      case EDGE -> place < 0 ? 0 : extent - 1;
      case REFLECT -> {
        if (extent == 1) {
          yield 0;
        }
        int within = Math.floorMod(place, 2 * (extent - 1));
        yield within < extent ? within : 2 * (extent - 1) - within;
      }
      case SYMMETRIC -> {
        int within = Math.floorMod(place, 2 * extent);
        yield within < extent ? within : 2 * extent - 1 - within;
      }
    };
  }
}
