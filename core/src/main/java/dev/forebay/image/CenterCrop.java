package dev.forebay.image;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the middle out of an image, with black around it where the image is smaller; as
 * torchvision's {@code CenterCrop}.
 *
 * @param height rows of the result, at least 1
 * @param width columns of the result, at least 1
 * @param field the image's field
 */
public record CenterCrop(int height, int width, String field) implements Transform {
  /** Checks the ranges. */
  public CenterCrop {
    ImageField.check(height >= 1, "height", height, ">= 1");
    ImageField.check(width >= 1, "width", width, ">= 1");
    Objects.requireNonNull(field, "field");
  }

  /** A square out of the field "image". */
  public static CenterCrop of(int size) {
    return new CenterCrop(size, size, "image");
  }

  /** A rectangle out of the field "image". */
  public static CenterCrop of(int height, int width) {
    return new CenterCrop(height, width, "image");
  }

  @Override
  public Schema output(Schema input) {
    return ImageField.resized(input, field, "center_crop", height, width);
  }

  @Override
  public Step open(Schema input) {
    int slot = input.slot(field);
    Placement placement = new Placement(0);
    return sample -> {
      Value value = sample.value(slot);
      placement.start(height, width);
      cut(placement.rows, (int) value.dim(0), height);
      cut(placement.columns, (int) value.dim(1), width);
      placement.apply(value);
    };
  }

  /** False if the frame is smaller than the cut: black is needed around it. */
  boolean frame(Frame frame) {
    if (frame.outHeight < height || frame.outWidth < width) {
      return false;
    }
    frame.crop(start(frame.outHeight, height), start(frame.outWidth, width), height, width);
    return true;
  }

  private static void cut(int[] sources, int extent, int wanted) {
    int start = start(extent, wanted);
    for (int i = 0; i < wanted; i++) {
      sources[i] = Padding.CONSTANT.source(start + i, extent);
    }
  }

  /** Where the cut begins, from the image's edge; negative if there is black before it. */
  private static int start(int extent, int wanted) {
    if (wanted > extent) {
      return -((wanted - extent) / 2);
    }
    return (int) Math.rint((extent - wanted) / 2.0);
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
