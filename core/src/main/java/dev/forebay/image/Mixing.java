package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.transform.BatchRows;
import dev.forebay.transform.Randomness;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What transforms that mix each row of a batch with the one before it have in common. Stateless.
 *
 * <p>The first row is mixed with the last. Rows change in place, from the last to the first, a
 * piece at a time, so that only a piece of the last row has to be remembered.
 */
final class Mixing {
  private static final int PIECE_BYTES = 1024;

  private Mixing() {}

  /** Checks that images and labels can be mixed; a batch transform leaves the schema as it is. */
  static Schema check(Schema input, String image, String label, String operation) {
    Field pixels = input.field(input.slot(image));
    if (!PixelFormat.isFloating(pixels.dtype()) || !pixels.isFixed()) {
      throw new IllegalArgumentException(
          "%s needs images of one size and a floating type in field '%s', not %s%s; put normalize or convert_image before it"
              .formatted(operation, image, pixels.dtype(), pixels.shape()));
    }
    Field classes = input.field(input.slot(label));
    if (classes.dtype() != DType.FLOAT32 || classes.shape().rank() != 1 || !classes.isFixed()) {
      throw new IllegalArgumentException(
          "%s needs float32 probabilities in field '%s', not %s%s; put one_hot among the transforms"
              .formatted(operation, label, classes.dtype(), classes.shape()));
    }
    return input;
  }

  /** Makes each row {@code share} of itself and the rest of the row before it. */
  static void blend(BatchRows rows, int slot, float share) {
    DType dtype = rows.schema().field(slot).dtype();
    MemorySegment all = rows.rows(slot);
    long rowBytes = rows.rowBytes(slot);
    byte[] kept = new byte[(int) Math.min(PIECE_BYTES, rowBytes)];
    MemorySegment last = MemorySegment.ofArray(kept);
    for (long piece = 0; piece < rowBytes; piece += kept.length) {
      long bytes = Math.min(kept.length, rowBytes - piece);
      MemorySegment.copy(all, (rows.size() - 1) * rowBytes + piece, last, 0, bytes);
      for (int row = rows.size() - 1; row > 0; row--) {
        blend(dtype, all, row * rowBytes + piece, all, (row - 1) * rowBytes + piece, bytes, share);
      }
      blend(dtype, all, piece, last, 0, bytes, share);
    }
  }

  private static void blend(
      DType dtype,
      MemorySegment into,
      long at,
      MemorySegment from,
      long start,
      long bytes,
      float share) {
    for (long i = 0; i < bytes; i += dtype.bytes()) {
      float mixed = get(dtype, into, at + i) * share + get(dtype, from, start + i) * (1 - share);
      put(dtype, into, at + i, mixed);
    }
  }

  private static float get(DType dtype, MemorySegment segment, long at) {
    return switch (dtype) {
      case FLOAT16 -> Float.float16ToFloat(segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
      case BFLOAT16 ->
          Float.intBitsToFloat(segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, at) << 16);
      default -> segment.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at);
    };
  }

  private static void put(DType dtype, MemorySegment segment, long at, float number) {
    switch (dtype) {
      case FLOAT16 ->
          segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(number));
      case BFLOAT16 ->
          segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, PixelFormat.bfloat16(number));
      default -> segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, number);
    }
  }

  /**
   * Copies a stretch of each row from the row before it.
   *
   * @param last has room for the stretch
   */
  static void shift(BatchRows rows, int slot, long start, int bytes, byte[] last) {
    MemorySegment all = rows.rows(slot);
    long rowBytes = rows.rowBytes(slot);
    long from = (rows.size() - 1) * rowBytes + start;
    MemorySegment.copy(all, ValueLayout.JAVA_BYTE, from, last, 0, bytes);
    for (int row = rows.size() - 1; row > 0; row--) {
      MemorySegment.copy(all, (row - 1) * rowBytes + start, all, row * rowBytes + start, bytes);
    }
    MemorySegment.copy(last, 0, all, ValueLayout.JAVA_BYTE, start, bytes);
  }

  /** A number with the distribution Beta(alpha, alpha), as a quotient of two gammas. */
  static double beta(Randomness random, double alpha) {
    double first = gamma(random, alpha);
    double second = gamma(random, alpha);
    return first + second == 0 ? 0.5 : first / (first + second);
  }

  /**
   * A number with the gamma distribution.
   *
   * <p>Source: G. Marsaglia, W. Tsang, "A simple method for generating gamma variables", ACM TOMS
   * 26, 2000.
   */
  static double gamma(Randomness random, double shape) {
    if (shape < 1) {
      double boosted = gamma(random, shape + 1);
      return boosted * StrictMath.pow(1 - random.nextDouble(), 1 / shape);
    }
    double d = shape - 1.0 / 3;
    double c = 1 / StrictMath.sqrt(9 * d);
    while (true) {
      double normal = random.nextGaussian();
      double root = 1 + c * normal;
      double cube = root * root * root;
      double uniform = 1 - random.nextDouble();
      if (root > 0
          && StrictMath.log(uniform)
              < 0.5 * normal * normal + d - d * cube + d * StrictMath.log(cube)) {
        return d * cube;
      }
    }
  }
}
