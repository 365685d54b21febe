package dev.forebay.image;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.Schema;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a part of fixed size out of an image at a random place, after padding it; as torchvision's
 * {@code RandomCrop}.
 *
 * @param height rows of the result, at least 1
 * @param width columns of the result, at least 1
 * @param border what is put around the image first
 * @param field the image's field
 */
public record RandomCrop(int height, int width, Border border, String field) implements Transform {

  /**
   * What is put around an image.
   *
   * @param pixels rows and columns added on each side, at least 0
   * @param isGrown whether an image that is still too small gets what is missing on both sides;
   *     else it is an error
   * @param padding what the border shows
   * @param fill the value of all channels where that is one colour, 0 to 255
   */
  public record Border(int pixels, boolean isGrown, Padding padding, int fill) {
    /** No border. */
    public static final Border NONE = new Border(0, false, Padding.CONSTANT, 0);

    /** Checks the ranges. */
    public Border {
      Objects.requireNonNull(padding, "padding");
      ImageField.check(pixels >= 0, "padding", pixels, ">= 0");
      ImageField.check(fill >= 0 && fill <= 255, "fill", fill, "0 to 255");
    }
  }

  /** Checks the ranges. */
  public RandomCrop {
    Objects.requireNonNull(border, "border");
    Objects.requireNonNull(field, "field");
    ImageField.check(height >= 1, "height", height, ">= 1");
    ImageField.check(width >= 1, "width", width, ">= 1");
  }

  /** A square out of the field "image", with a black border of that width put around first. */
  public static RandomCrop of(int size, int padding) {
    return new RandomCrop(size, size, new Border(padding, false, Padding.CONSTANT, 0), "image");
  }

  @Override
  public Schema output(Schema input) {
    return ImageField.resized(input, field, "random_crop", height, width);
  }

  @Override
  public Step open(Schema input) {
    int slot = input.slot(field);
    Placement placement = new Placement(border.fill);
    return sample -> apply(sample, slot, placement);
  }

  private void apply(Sample sample, int slot, Placement placement) {
    Value value = sample.value(slot);
    Randomness random = sample.random();
    placement.start(height, width);
    pick(random, placement.rows, (int) value.dim(0), height, "rows");
    pick(random, placement.columns, (int) value.dim(1), width, "columns");
    placement.apply(value);
  }

  /** False if a border is needed, or an error is due. */
  boolean frame(Frame frame, Randomness random) {
    if (border.pixels > 0 || frame.outHeight < height || frame.outWidth < width) {
      return false;
    }
    int top = random.nextInt(frame.outHeight - height + 1);
    int left = random.nextInt(frame.outWidth - width + 1);
    frame.crop(top, left, height, width);
    return true;
  }

  private void pick(Randomness random, int[] sources, int extent, int wanted, String what) {
    int padded = extent + 2 * border.pixels;
    int missing = Math.max(0, wanted - padded);
    if (missing > 0 && !border.isGrown) {
      throw new BadDataException(
          "the image has %d %s, fewer than the %d of the crop; pad it, or set pad_if_needed"
              .formatted(padded, what, wanted));
    }
    if (border.padding == Padding.REFLECT && Math.max(border.pixels, missing) >= extent) {
      throw new BadDataException(
          "the image has %d %s, too few to reflect %d of them"
              .formatted(extent, what, Math.max(border.pixels, missing)));
    }
    int start = random.nextInt(padded + 2 * missing - wanted + 1);
    for (int i = 0; i < wanted; i++) {
      int outer = border.padding.source(start + i - missing, padded);
      sources[i] =
          outer == Padding.OUTSIDE ? outer : border.padding.source(outer - border.pixels, extent);
    }
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
}
