package dev.forebay.memory;

import java.util.Arrays;

/**
 * The extent of a value along each of its dimensions, outermost first, in row-major order. A scalar
 * has no dimension. {@link #UNKNOWN} stands for an extent that differs from sample to sample.
 * Immutable.
 */
public final class Shape {
  /** An extent that differs from sample to sample. */
  public static final long UNKNOWN = -1;

  /** The most dimensions a value may have. */
  public static final int RANK_MAX = 8;

  private static final Shape SCALAR = new Shape(new long[0]);

  private final long[] dims;

  private Shape(long[] dims) {
    this.dims = dims;
  }

  /** The shape with the given extents, each at least 0 or {@link #UNKNOWN}; at most 8 of them. */
  public static Shape of(long... dims) {
    if (dims.length > RANK_MAX) {
      throw new IllegalArgumentException("rank=" + dims.length + " exceeds " + RANK_MAX);
    }
    for (long dim : dims) {
      if (dim < UNKNOWN) {
        throw new IllegalArgumentException("an extent must be >= 0, or -1 for unknown, not " + dim);
      }
    }
    return dims.length == 0 ? SCALAR : new Shape(dims.clone());
  }

  /** The shape of a single number. */
  public static Shape scalar() {
    return SCALAR;
  }

  /** The number of dimensions, 0 to 8. */
  public int rank() {
    return dims.length;
  }

  /** The extent along dimension {@code axis}, or {@link #UNKNOWN}. */
  public long dim(int axis) {
    return dims[axis];
  }

  /** A copy of the extents. */
  public long[] dims() {
    return dims.clone();
  }

  /** True if every extent is known. */
  public boolean isFixed() {
    for (long dim : dims) {
      if (dim == UNKNOWN) {
        return false;
      }
    }
    return true;
  }

  /** The number of elements; throws {@link IllegalStateException} if an extent is unknown. */
  public long elements() {
    long elements = 1;
    for (long dim : dims) {
      if (dim == UNKNOWN) {
        throw new IllegalStateException("shape " + this + " is not fixed");
      }
      elements = Math.multiplyExact(elements, dim);
    }
    return elements;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape shape && Arrays.equals(dims, shape.dims);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(dims);
  }

  @Override
  public String toString() {
    return Arrays.toString(dims).replace("-1", "?");
  }
}
