package dev.forebay.memory;

import java.util.Objects;

/**
 * One named value of a sample, and therefore one column of a batch. Immutable.
 *
 * @param name unique within its {@link Schema}; not empty
 * @param kind how the elements are to be understood
 * @param dtype the type of one element; {@link DType#UINT8} for bytes and strings
 * @param shape the shape of one sample's value, without the batch dimension; {@code [?]} for bytes
 *     and strings
 * @param bytesMax for a value whose size differs from sample to sample, the room that a row
 *     reserves for it; a larger value is still delivered, at the cost of a copy. 0 lets the loader
 *     choose. Ignored for a fixed shape
 */
public record Field(String name, Kind kind, DType dtype, Shape shape, long bytesMax) {

  /** How a field's elements are to be understood. */
  public enum Kind {
    /** Numbers with a shape. */
    TENSOR,
    /** Opaque bytes, such as an encoded image. */
    BYTES,
    /** UTF-8 text. */
    STRING
  }

  /** Checks that the parts fit together. */
  public Field {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(dtype, "dtype");
    Objects.requireNonNull(shape, "shape");
    if (name.isEmpty()) {
      throw new IllegalArgumentException("a field needs a name");
    }
    if (bytesMax < 0) {
      throw new IllegalArgumentException("bytesMax=" + bytesMax + " must be >= 0");
    }
    if (kind != Kind.TENSOR && (dtype != DType.UINT8 || shape.rank() != 1 || shape.isFixed())) {
      throw new IllegalArgumentException(
          "field " + name + ": bytes and strings are uint8 of shape [?], not " + dtype + shape);
    }
  }

  /** Numbers of the given type and shape. */
  public static Field tensor(String name, DType dtype, Shape shape) {
    return new Field(name, Kind.TENSOR, dtype, shape, 0);
  }

  /** A single number. */
  public static Field scalar(String name, DType dtype) {
    return tensor(name, dtype, Shape.scalar());
  }

  /** Opaque bytes of varying length. */
  public static Field bytes(String name) {
    return new Field(name, Kind.BYTES, DType.UINT8, Shape.of(Shape.UNKNOWN), 0);
  }

  /** Text of varying length. */
  public static Field string(String name) {
    return new Field(name, Kind.STRING, DType.UINT8, Shape.of(Shape.UNKNOWN), 0);
  }

  /** The same field with room for {@code bytesMax} bytes in each row. */
  public Field withBytesMax(long bytesMax) {
    return new Field(name, kind, dtype, shape, bytesMax);
  }

  /** True if every sample's value has the same size. */
  public boolean isFixed() {
    return shape.isFixed();
  }

  /** The size of one value; throws {@link IllegalStateException} if it varies. */
  public long bytes() {
    return Math.multiplyExact(shape.elements(), dtype.bytes());
  }
}
