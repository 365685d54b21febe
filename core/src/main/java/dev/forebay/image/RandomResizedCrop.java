package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Transform;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a random part out of an image and resizes it, as torchvision's {@code RandomResizedCrop}
 * does.
 *
 * @param height rows of the result
 * @param width columns of the result
 * @param scale the share of the image's area that the part has
 * @param ratio the part's width divided by its height
 * @param interpolation the filter
 * @param field the image's field
 */
public record RandomResizedCrop(
    int height, int width, Range scale, Range ratio, Interpolation interpolation, String field)
    implements Transform {
  private static final int TRIES = 10;

  /** Checks the ranges. */
  public RandomResizedCrop {
    Objects.requireNonNull(interpolation, "interpolation");
    Objects.requireNonNull(field, "field");
    ImageField.check(height >= 1, "height", height, ">= 1");
    ImageField.check(width >= 1, "width", width, ">= 1");
    ImageField.check(scale.min() > 0 && scale.max() <= 1, "scale", scale, "> 0 and <= 1");
    ImageField.check(ratio.min() > 0, "ratio", ratio, "> 0");
  }

  /** Square, from the field "image", with torchvision's defaults. */
  public static RandomResizedCrop of(int size) {
    return new RandomResizedCrop(
        size,
        size,
        new Range(0.08, 1),
        new Range(3.0 / 4, 4.0 / 3),
        Interpolation.BILINEAR,
        "image");
  }

  @Override
  public Schema output(Schema input) {
    return ImageField.resized(input, field, "random_resized_crop", height, width);
  }

  @Override
  public Step open(Schema input) {
    return new ImagePass(ImagePass.Work.of(this::frame), input.slot(field));
  }

  @Override
  public @Nullable Fusion fuse(Schema input, List<Transform> following) {
    return ImageFusion.of(this, field, input, following);
  }

  @Override
  public boolean isRandom() {
    return true;
  }

  @Override
  public String writes() {
    return field;
  }

  /**
   * Draws the part; after ten that do not fit, the largest in the middle that does. False if the
   * frame is scaled already.
   */
  boolean frame(Frame frame, Randomness random) {
    if (frame.isScaled()) {
      return false;
    }
    if (!draw(frame, random)) {
      takeMiddle(frame);
    }
    frame.scale(height, width, interpolation);
    return true;
  }

  private boolean draw(Frame frame, Randomness random) {
    double area = (double) frame.height * frame.width;
    double logMin = StrictMath.log(ratio.min());
    double logMax = StrictMath.log(ratio.max());
    for (int attempt = 0; attempt < TRIES; attempt++) {
      double target = area * random.nextDouble(scale.min(), scale.max());
      double aspect = StrictMath.exp(random.nextDouble(logMin, logMax));
      int columns = (int) Math.rint(Math.sqrt(target * aspect));
      int rows = (int) Math.rint(Math.sqrt(target / aspect));
      if (columns > 0 && columns <= frame.width && rows > 0 && rows <= frame.height) {
        int top = random.nextInt(frame.height - rows + 1);
        int left = random.nextInt(frame.width - columns + 1);
        frame.crop(top, left, rows, columns);
        return true;
      }
    }
    return false;
  }

  private void takeMiddle(Frame frame) {
    double inRatio = (double) frame.width / frame.height;
    int columns = frame.width;
    int rows = frame.height;
    if (inRatio < ratio.min()) {
      rows = Math.clamp((long) Math.rint(columns / ratio.min()), 1, rows);
    } else if (inRatio > ratio.max()) {
      columns = Math.clamp((long) Math.rint(rows * ratio.max()), 1, columns);
    }
    frame.crop((frame.height - rows) / 2, (frame.width - columns) / 2, rows, columns);
  }
}
