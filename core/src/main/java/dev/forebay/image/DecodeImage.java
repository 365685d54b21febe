package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.stats.Stage;
import dev.forebay.transform.Transform;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes an image file: a field of bytes becomes a uint8 tensor of shape [height, width,
 * channels]. JPEG, PNG, GIF (the first picture), BMP and PNM (PBM, PGM, PPM), told apart by
 * content, give the pixels that Pillow gives; {@code docs/images.md} has the details.
 *
 * @param mode the channels wanted
 * @param exifOrientation whether a picture is turned as its EXIF metadata say; Pillow and
 *     torchvision do not by default
 * @param pixelsMax the most pixels that a file may claim, at least 1: more is an error, before
 *     memory is taken for it
 * @param dctScaling whether JPEG files may be decoded at a half, a quarter or an eighth of their
 *     size where the transforms that follow shrink them further: faster for large pictures, by a
 *     libjpeg-turbo 3 only, and no longer exact
 * @param field the field's name
 */
public record DecodeImage(
    Mode mode, boolean exifOrientation, long pixelsMax, boolean dctScaling, String field)
    implements Transform {
  /** The limit at which Pillow refuses a file: 178,956,970 pixels. */
  public static final long PIXELS_MAX = 178_956_970;

  /** The channels of a decoded image. */
  public enum Mode {
    /** Red, green, blue; grey is repeated, alpha dropped. */
    RGB(3),
    /** Luminance: (19595 R + 38470 G + 7471 B + 32768) / 65536, as Pillow's mode "L". */
    GRAY(1);

    final int channels;

    Mode(int channels) {
      this.channels = channels;
    }
  }

  /** Checks the ranges. */
  public DecodeImage {
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(field, "field");
    if (pixelsMax < 1) {
      throw new IllegalArgumentException("pixelsMax=" + pixelsMax + " must be >= 1");
    }
  }

  /** Decodes the field "image" to red, green and blue, as it lies in the file. */
  public static DecodeImage rgb() {
    return new DecodeImage(Mode.RGB, false, PIXELS_MAX, false, "image");
  }

  /** Decodes the field "image" to luminance, as it lies in the file. */
  public static DecodeImage gray() {
    return new DecodeImage(Mode.GRAY, false, PIXELS_MAX, false, "image");
  }

  @Override
  public Schema output(Schema input) {
    int slot = input.slot(field);
    Field encoded = input.field(slot);
    if (encoded.kind() != Field.Kind.BYTES) {
      throw new IllegalArgumentException(
          "decode_image needs bytes in field '%s', not %s of shape %s"
              .formatted(field, encoded.dtype(), encoded.shape()));
    }
    Shape shape = Shape.of(Shape.UNKNOWN, Shape.UNKNOWN, mode.channels);
    return input.with(slot, Field.tensor(field, DType.UINT8, shape));
  }

  @Override
  public Step open(Schema input) {
    return new ImageDecoder(this, input.slot(field));
  }

  @Override
  public @Nullable Fusion fuse(Schema input, List<Transform> following) {
    return ImageFusion.of(this, field, input, following);
  }

  @Override
  public Stage stage() {
    return Stage.DECODE;
  }

  @Override
  public String writes() {
    return field;
  }
}
