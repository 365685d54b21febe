package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;

/** What image transforms ask of the field that they change. Stateless. */
final class ImageField {
  private ImageField() {}

  /**
   * The field, if it is a uint8 image of shape [height, width, 1 or 3].
   *
   * @param operation names the transform in the error
   */
  static Field of(Schema schema, String name, String operation) {
    Field field = schema.field(schema.slot(name));
    Shape shape = field.shape();
    boolean isImage =
        field.kind() == Field.Kind.TENSOR
            && field.dtype() == DType.UINT8
            && shape.rank() == 3
            && (shape.dim(2) == 1 || shape.dim(2) == 3);
    if (!isImage) {
      throw new IllegalArgumentException(
          "%s needs a uint8 image of shape [height, width, 1 or 3] in field '%s', not %s of %s%s; put it behind decode_image and before normalize or convert_image"
              .formatted(operation, name, field.kind(), field.dtype(), shape));
    }
    return field;
  }

  /** The schema with the image's size changed; {@link Shape#UNKNOWN} where it varies. */
  static Schema resized(Schema schema, String name, String operation, long height, long width) {
    Field field = of(schema, name, operation);
    Shape shape = Shape.of(height, width, field.shape().dim(2));
    return schema.with(schema.slot(name), Field.tensor(name, DType.UINT8, shape));
  }

  /** Fails unless a number lies in a range. */
  static void check(boolean isRight, String what, Object value, String range) {
    if (!isRight) {
      throw new IllegalArgumentException("%s=%s must be %s".formatted(what, value, range));
    }
  }
}
