package dev.forebay.image;

import dev.forebay.transform.Randomness;
import dev.forebay.transform.Transform;
import org.jspecify.annotations.Nullable;

/** A transform that only says which part of an image is kept, at which size. */
@FunctionalInterface
interface Framing {
  /**
   * Applies itself to the frame.
   *
   * @return false if what follows it cannot be one pass over the image, because a border is needed
   *     or it was scaled already; the frame is undefined then
   */
  boolean apply(Frame frame, Randomness random);

  /** How a transform frames images; null if it does anything else. */
  static @Nullable Framing of(Transform transform) {
    return switch (transform) {
      case RandomResizedCrop crop -> crop::frame;
      case Resize resize -> (frame, _) -> resize.frame(frame);
      case CenterCrop crop -> (frame, _) -> crop.frame(frame);
      case RandomCrop crop -> crop::frame;
      default -> null;
    };
  }
}
