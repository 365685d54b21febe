package dev.forebay.image;

/** How a pixel of a changed image is made from those of the original. As Pillow's filters. */
public enum Interpolation {
  /** The nearest pixel. */
  NEAREST(0),
  /** A triangle over the neighbours; over all that a shrunken pixel covers. */
  BILINEAR(1),
  /** Keys' cubic with a = -0.5 over twice that width. */
  BICUBIC(2);

  /** How far the filter reaches, in pixels. */
  final double support;

  Interpolation(double support) {
    this.support = support;
  }

  /** The filter's weight at a distance. */
  double weight(double distance) {
    double x = Math.abs(distance);
    if (this == BILINEAR) {
      return x < 1 ? 1 - x : 0;
    }
    double a = -0.5;
    if (x < 1) {
      return ((a + 2) * x - (a + 3)) * x * x + 1;
    }
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
  }
}
