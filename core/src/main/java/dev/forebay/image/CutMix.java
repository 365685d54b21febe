package dev.forebay.image;

import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.BatchRows;
import dev.forebay.transform.BatchTransform;
import dev.forebay.transform.Randomness;
import java.util.Objects;

/**
 * Replaces a rectangle of each image of a batch by that of the one before it, and blends their
 * labels by area, as torchvision's {@code CutMix}: one rectangle for the batch.
 *
 * <p>Source: S. Yun, D. Han, S. Oh, S. Chun, J. Choe, Y. Yoo, "CutMix: regularization strategy to
 * train strong classifiers with localizable features", ICCV 2019.
 *
 * @param alpha above 0
 * @param image the images' field: a floating type and one size
 * @param label the labels' field: probabilities, see {@link OneHot}
 */
public record CutMix(double alpha, String image, String label) implements BatchTransform {
  /** Checks the range. */
  public CutMix {
    ImageField.check(alpha > 0 && Double.isFinite(alpha), "alpha", alpha, "above 0");
    Objects.requireNonNull(image, "image");
    Objects.requireNonNull(label, "label");
  }

  /** For the fields "image" and "label". */
  public static CutMix of(double alpha) {
    return new CutMix(alpha, "image", "label");
  }

  @Override
  public Schema output(Schema input) {
    Shape shape = Mixing.check(input, image, label, "cutmix").field(input.slot(image)).shape();
    boolean isImage = shape.rank() == 3 && (isChannels(shape.dim(0)) || isChannels(shape.dim(2)));
    if (!isImage) {
      throw new IllegalArgumentException(
          "cutmix needs images of 1 or 3 channels in field '%s', not %s".formatted(image, shape));
    }
    return input;
  }

  private static boolean isChannels(long extent) {
    return extent == 1 || extent == 3;
  }

  @Override
  public void apply(BatchRows rows) {
    int slot = rows.schema().slot(image);
    Field field = rows.schema().field(slot);
    boolean isPlanar = isChannels(field.shape().dim(0));
    int height = (int) field.shape().dim(isPlanar ? 1 : 0);
    int width = (int) field.shape().dim(isPlanar ? 2 : 1);
    int channels = (int) field.shape().dim(isPlanar ? 0 : 2);
    Randomness random = rows.random();
    double half = 0.5 * Math.sqrt(1 - Mixing.beta(random, alpha));
    int middleX = random.nextInt(width);
    int middleY = random.nextInt(height);
    int left = Math.max(0, middleX - (int) (half * width));
    int right = Math.min(width, middleX + (int) (half * width));
    int top = Math.max(0, middleY - (int) (half * height));
    int bottom = Math.min(height, middleY + (int) (half * height));
    int planes = isPlanar ? channels : 1;
    long pixelBytes = field.dtype().bytes() * (isPlanar ? 1L : channels);
    byte[] last = new byte[(int) ((right - left) * pixelBytes)];
    for (int plane = 0; plane < planes; plane++) {
      for (int y = top; y < bottom; y++) {
        long start = (((long) plane * height + y) * width + left) * pixelBytes;
        Mixing.shift(rows, slot, start, last.length, last);
      }
    }
    double replaced = (right - left) * (double) (bottom - top) / ((double) width * height);
    Mixing.blend(rows, rows.schema().slot(label), (float) (1 - replaced));
  }
}
