package dev.forebay.image;

import java.util.Arrays;

/**
 * The weights with which the pixels of a line make those of a longer or shorter one, in fixed point
 * as Pillow computes them; for some neighbouring pixels of the result. Confined to one worker,
 * which reuses it.
 *
 * <p>Source: Pillow's {@code ImagingResample}: weights normalised in double precision, then rounded
 * to 22 bits behind the point. The nearest pixel counts as one of weight 1.
 */
final class Coefficients {
  static final int PRECISION_BITS = 32 - 8 - 2;
  static final int HALF = 1 << (PRECISION_BITS - 1);

  private int inSize = -1;
  private int outSize;
  private Interpolation filter = Interpolation.NEAREST;
  private int outStart;

  /** The number of pixels of the result. */
  int size;

  /** The first pixel that is needed. */
  int start;

  /** How many are needed, from there on. */
  int span;

  /**
   * True if each pixel of the result is one of the needed pixels, in turn; nothing below counts.
   */
  boolean isIdentity;

  /** The most weights that any pixel has. */
  int taps;

  /** The distance between the weights of two pixels. */
  int stride;

  /** For each pixel, the first of those that make it, counted from {@link #start}. */
  int[] first = new int[0];

  /** For each pixel, how many make it. */
  int[] count = new int[0];

  int[] weights = new int[0];

  /**
   * The same for kernels that want as many weights for each pixel: {@link #taps} of them, the
   * surplus ones 0, and their firsts. Whole arrays, since single accesses to native memory are slow
   * until the JIT has seen them.
   */
  int[] evenFirst = new int[0];

  int[] evenWeights = new int[0];
  private double[] exact = new double[0];

  /**
   * Computes the weights, unless they are those of the last time.
   *
   * @param inSize the pixels of the line
   * @param outSize the pixels of the whole result
   * @param outStart the first pixel of the result that is wanted
   * @param size how many are wanted
   */
  void prepare(int inSize, int outSize, Interpolation filter, int outStart, int size) {
    boolean isSame =
        this.inSize == inSize
            && this.outSize == outSize
            && this.filter == filter
            && this.outStart == outStart
            && this.size == size;
    if (isSame) {
      return;
    }
    this.inSize = inSize;
    this.outSize = outSize;
    this.filter = filter;
    this.outStart = outStart;
    this.size = size;
    isIdentity = inSize == outSize;
    if (isIdentity) {
      start = outStart;
      span = size;
      return;
    }
    if (first.length < size) {
      first = new int[size];
      count = new int[size];
    }
    if (filter == Interpolation.NEAREST) {
      pickNearest();
    } else {
      weigh();
    }
    locate();
  }

  private void weigh() {
    double scale = (double) inSize / outSize;
    double filterScale = Math.max(scale, 1);
    double support = filter.support * filterScale;
    stride = (int) Math.ceil(support) * 2 + 1;
    makeRoom();
    for (int pixel = 0; pixel < size; pixel++) {
      weigh(pixel, (outStart + pixel + 0.5) * scale, support, 1 / filterScale);
    }
  }

  private void makeRoom() {
    int needed = Math.multiplyExact(size, stride);
    if (weights.length < needed) {
      weights = new int[needed];
    }
    if (exact.length < stride) {
      exact = new double[stride];
    }
  }

  private void weigh(int pixel, double center, double support, double inverseScale) {
    int from = Math.max(0, (int) (center - support + 0.5));
    int to = Math.min(inSize, (int) (center + support + 0.5));
    double sum = 0;
    for (int i = 0; i < to - from; i++) {
      exact[i] = filter.weight((i + from - center + 0.5) * inverseScale);
      sum += exact[i];
    }
    for (int i = 0; i < to - from; i++) {
      double weight = sum == 0 ? exact[i] : exact[i] / sum;
      double scaled = weight * (1 << PRECISION_BITS);
      weights[pixel * stride + i] = (int) (weight < 0 ? scaled - 0.5 : scaled + 0.5);
    }
    first[pixel] = from;
    count[pixel] = to - from;
  }

  /** Pillow adds the step up, and so must we for the same rounding. */
  private void pickNearest() {
    stride = 1;
    makeRoom();
    double step = (double) inSize / outSize;
    double place = step * 0.5;
    for (int pixel = -outStart; pixel < size; pixel++) {
      if (pixel >= 0) {
        first[pixel] = Math.min(inSize - 1, (int) place);
        count[pixel] = 1;
        weights[pixel] = 1 << PRECISION_BITS;
      }
      place += step;
    }
  }

  /** Finds out what is needed, and counts from there. */
  private void locate() {
    start = first[0];
    int end = 0;
    taps = 0;
    for (int pixel = 0; pixel < size; pixel++) {
      end = Math.max(end, first[pixel] + count[pixel]);
      taps = Math.max(taps, count[pixel]);
      first[pixel] -= start;
    }
    span = end - start;
    even();
  }

  private void even() {
    if (evenFirst.length < size) {
      evenFirst = new int[size];
    }
    if (evenWeights.length < size * taps) {
      evenWeights = new int[size * taps];
    }
    Arrays.fill(evenWeights, 0, size * taps, 0);
    for (int pixel = 0; pixel < size; pixel++) {
      int from = Math.min(first[pixel], span - taps);
      evenFirst[pixel] = from;
      int place = pixel * taps + first[pixel] - from;
      System.arraycopy(weights, pixel * stride, evenWeights, place, count[pixel]);
    }
  }
}
