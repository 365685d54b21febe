package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Transform;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Resizes an image, with antialiasing, to the pixels of Pillow's {@code resize}.
 *
 * @param size the new size
 * @param interpolation the filter
 * @param field the image's field
 */
public record Resize(Size size, Interpolation interpolation, String field) implements Transform {

  /** What the new size is. */
  public sealed interface Size {}

  /** Exactly so many rows and columns, at least 1. */
  public record Exactly(int height, int width) implements Size {
    /** Checks the ranges. */
    public Exactly {
      ImageField.check(height >= 1, "height", height, ">= 1");
      ImageField.check(width >= 1, "width", width, ">= 1");
    }
  }

  /**
   * The shorter side has that many pixels, the other follows, as torchvision's {@code Resize(int)}
   * computes it.
   *
   * @param pixels at least 1
   * @param longerMax the most pixels of the longer side, more than {@code pixels}, or 0 for any
   */
  public record ShorterSide(int pixels, int longerMax) implements Size {
    /** Checks the ranges. */
    public ShorterSide {
      ImageField.check(pixels >= 1, "shorter side", pixels, ">= 1");
      ImageField.check(
          longerMax == 0 || longerMax > pixels, "longerMax", longerMax, "0 or > " + pixels);
    }

    private int longer(long shorter, long longer) {
      return (int) (pixels * longer / (double) shorter);
    }
  }

  /** Checks that all is given. */
  public Resize {
    Objects.requireNonNull(size, "size");
    Objects.requireNonNull(interpolation, "interpolation");
    Objects.requireNonNull(field, "field");
  }

  /** The shorter side of the field "image" gets that many pixels, bilinear. */
  public static Resize of(int shorterSide) {
    return new Resize(new ShorterSide(shorterSide, 0), Interpolation.BILINEAR, "image");
  }

  /** The field "image" gets that size, bilinear. */
  public static Resize of(int height, int width) {
    return new Resize(new Exactly(height, width), Interpolation.BILINEAR, "image");
  }

  @Override
  public Schema output(Schema input) {
    return switch (size) {
      case Exactly exactly ->
          ImageField.resized(input, field, "resize", exactly.height, exactly.width);
      case ShorterSide _ ->
          ImageField.resized(input, field, "resize", Shape.UNKNOWN, Shape.UNKNOWN);
    };
  }

  @Override
  public Step open(Schema input) {
    return new ImagePass(ImagePass.Work.of((frame, _) -> frame(frame)), input.slot(field));
  }

  /** False if the frame is scaled already. */
  boolean frame(Frame frame) {
    if (frame.isScaled()) {
      return false;
    }
    int newHeight = newExtent(frame.height, frame.width, true);
    int newWidth = newExtent(frame.height, frame.width, false);
    frame.scale(newHeight, newWidth, interpolation);
    return true;
  }

  private int newExtent(int height, int width, boolean isHeight) {
    return switch (size) {
      case Exactly exactly -> isHeight ? exactly.height : exactly.width;
      case ShorterSide side -> {
        int shorter = side.pixels;
        int longer = side.longer(Math.min(height, width), Math.max(height, width));
        if (side.longerMax > 0 && longer > side.longerMax) {
          shorter = Math.max(1, (int) (side.longerMax * (long) shorter / (double) longer));
          longer = side.longerMax;
        }
        yield (width <= height) == isHeight ? longer : shorter;
      }
    };
  }

  @Override
  public @Nullable Fusion fuse(Schema input, List<Transform> following) {
    return ImageFusion.of(this, field, input, following);
  }

  @Override
  public String writes() {
    return field;
  }
}
