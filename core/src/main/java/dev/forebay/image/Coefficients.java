package dev.forebay.image;

/**
 * The weights with which the pixels of a line make those of a longer or shorter one, in fixed point
 * as Pillow computes them. Confined to one worker, which reuses it.
 *
 * <p>Source: Pillow's {@code ImagingResample}: weights normalised in double precision, then rounded
 * to 22 bits behind the point.
 */
final class Coefficients {
  static final int PRECISION_BITS = 32 - 8 - 2;
  static final int HALF = 1 << (PRECISION_BITS - 1);

  private int inSize = -1;
  private int outSize;
  private Interpolation filter = Interpolation.NEAREST;

  /** The most weights of one pixel, and the distance between the weights of two. */
  int stride;

  /** For each pixel, the first of those that make it. */
  int[] first = new int[0];

  /** For each pixel, how many make it. */
  int[] count = new int[0];

  int[] weights = new int[0];
  private double[] exact = new double[0];

  /** Computes the weights, unless they are those of the last time. */
  void prepare(int inSize, int outSize, Interpolation filter) {
    if (this.inSize == inSize && this.outSize == outSize && this.filter == filter) {
      return;
    }
    this.inSize = inSize;
    this.outSize = outSize;
    this.filter = filter;
    double scale = (double) inSize / outSize;
    double filterScale = Math.max(scale, 1);
    double support = filter.support * filterScale;
    stride = (int) Math.ceil(support) * 2 + 1;
    if (first.length < outSize) {
      first = new int[outSize];
      count = new int[outSize];
    }
    int needed = Math.multiplyExact(outSize, stride);
    if (weights.length < needed) {
      weights = new int[needed];
    }
    if (exact.length < stride) {
      exact = new double[stride];
    }
    for (int pixel = 0; pixel < outSize; pixel++) {
      prepare(pixel, (pixel + 0.5) * scale, support, 1 / filterScale);
    }
  }

  private void prepare(int pixel, double center, double support, double inverseScale) {
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
}
