package dev.forebay.image;

import java.util.Arrays;

/**
 * An affine change of an image: which place of the original each place of the result comes from,
 * and the pixels there, as Pillow's {@code Image.transform(AFFINE)} gives them. Confined to one
 * worker.
 *
 * <p>The matrix is x' = a x + b y + c, y' = d x + e y + f, from the result back to the original.
 */
final class AffineMap {
  private static final double FIXED_ONE = 65536;
  private static final double FIXED_MAX = 32768;

  private double a;
  private double b;
  private double c;
  private double d;
  private double e;
  private double f;
  private byte[] done = new byte[0];

  /** What {@link #compute} makes the matrix of, as torchvision's {@code affine} means it. */
  double degrees;

  double translateX;
  double translateY;
  double scale = 1;
  double shearXDegrees;
  double shearYDegrees;

  /** Begins a change of nothing, whose parts are then set. */
  AffineMap start() {
    degrees = 0;
    translateX = 0;
    translateY = 0;
    scale = 1;
    shearXDegrees = 0;
    shearYDegrees = 0;
    return this;
  }

  /** The inverse of rotation, shear and scaling around a centre, then a translation. */
  void compute(double centerX, double centerY) {
    double rotation = Math.toRadians(degrees);
    double shearX = Math.toRadians(shearXDegrees);
    double shearY = Math.toRadians(shearYDegrees);
    double cosine = StrictMath.cos(rotation - shearY);
    double sine = StrictMath.sin(rotation - shearY);
    double slope = StrictMath.tan(shearX);
    double cosineY = StrictMath.cos(shearY);
    a = (-sine * slope / cosineY + StrictMath.cos(rotation)) / scale;
    b = -(-cosine * slope / cosineY - StrictMath.sin(rotation)) / scale;
    d = -(sine / cosineY) / scale;
    e = cosine / cosineY / scale;
    double x = -centerX - translateX;
    double y = -centerY - translateY;
    c = a * x + b * y + centerX;
    f = d * x + e * y + centerY;
  }

  /** A rotation around an image's middle, counter-clockwise, as Pillow's {@code Image.rotate}. */
  void setRotation(double degrees, int height, int width) {
    double angle = -Math.toRadians(degrees - 360 * Math.floor(degrees / 360));
    a = rounded(StrictMath.cos(angle));
    b = rounded(StrictMath.sin(angle));
    d = rounded(-StrictMath.sin(angle));
    e = a;
    double x = width / 2.0;
    double y = height / 2.0;
    c = a * -x + b * -y + x;
    f = d * -x + e * -y + y;
  }

  /** To 15 digits behind the point, so that right angles are exact. */
  private static double rounded(double number) {
    return Math.rint(number * 1e15) / 1e15;
  }

  /** Changes an image in place; {@code fill} is what comes from outside, in all channels. */
  void apply(Pixels image, Interpolation filter, int fill) {
    int count = image.count();
    if (done.length < count) {
      done = new byte[count];
    }
    Arrays.fill(done, 0, count, (byte) fill);
    switch (filter) {
      case NEAREST -> pickNearest(image);
      case BILINEAR, BICUBIC -> interpolate(image, filter == Interpolation.BICUBIC);
    }
    byte[] before = image.data;
    image.data = done;
    done = before;
  }

  private void pickNearest(Pixels image) {
    if (b == 0 && d == 0) {
      pickScaled(image);
    } else if (isFixed(0, 0)
        && isFixed(image.width, image.height)
        && isFixed(0, image.height)
        && isFixed(image.width, 0)) {
      pickFixed(image);
    } else {
      pickFloating(image);
    }
  }

  private boolean isFixed(int x, int y) {
    return Math.abs(x * a + y * b + c) < FIXED_MAX && Math.abs(x * d + y * e + f) < FIXED_MAX;
  }

  private void pickScaled(Pixels image) {
    double row = f + e * 0.5;
    for (int y = 0; y < image.height; y++, row += e) {
      double column = c + a * 0.5;
      for (int x = 0; x < image.width; x++, column += a) {
        pick(image, x, y, coordinate(column), coordinate(row));
      }
    }
  }

  private void pickFixed(Pixels image) {
    int stepXx = fixed(a);
    int stepXy = fixed(b);
    int stepYx = fixed(d);
    int stepYy = fixed(e);
    int startX = fixed(c + a * 0.5 + b * 0.5);
    int startY = fixed(f + d * 0.5 + e * 0.5);
    for (int y = 0; y < image.height; y++) {
      int column = startX;
      int row = startY;
      for (int x = 0; x < image.width; x++) {
        pick(image, x, y, column >> 16, row >> 16);
        column += stepXx;
        row += stepYx;
      }
      startX += stepXy;
      startY += stepYy;
    }
  }

  private void pickFloating(Pixels image) {
    double startX = c + b * 0.5 + a * 0.5;
    double startY = f + e * 0.5 + d * 0.5;
    for (int y = 0; y < image.height; y++, startX += b, startY += e) {
      double column = startX;
      double row = startY;
      for (int x = 0; x < image.width; x++, column += a, row += d) {
        pick(image, x, y, coordinate(column), coordinate(row));
      }
    }
  }

  private static int fixed(double number) {
    return (int) Math.floor(number * FIXED_ONE + 0.5);
  }

  private static int coordinate(double place) {
    return place < 0 ? -1 : (int) place;
  }

  private void pick(Pixels image, int x, int y, int column, int row) {
    if (column < 0 || column >= image.width || row < 0 || row >= image.height) {
      return;
    }
    int to = (y * image.width + x) * image.channels;
    int from = (row * image.width + column) * image.channels;
    for (int channel = 0; channel < image.channels; channel++) {
      done[to + channel] = image.data[from + channel];
    }
  }

  private void interpolate(Pixels image, boolean isCubic) {
    for (int y = 0; y < image.height; y++) {
      for (int x = 0; x < image.width; x++) {
        double column = a * (x + 0.5) + b * (y + 0.5) + c;
        double row = d * (x + 0.5) + e * (y + 0.5) + f;
        if (column < 0 || column >= image.width || row < 0 || row >= image.height) {
          continue;
        }
        int to = (y * image.width + x) * image.channels;
        for (int channel = 0; channel < image.channels; channel++) {
          double value =
              isCubic
                  ? cubic(image, channel, column - 0.5, row - 0.5)
                  : linear(image, channel, column - 0.5, row - 0.5);
          done[to + channel] = (byte) (value <= 0 ? 0 : value >= 255 ? 255 : (int) value);
        }
      }
    }
  }

  private static int at(Pixels image, int column, int row, int channel) {
    int x = Math.clamp(column, 0, image.width - 1);
    int y = Math.clamp(row, 0, image.height - 1);
    return image.data[(y * image.width + x) * image.channels + channel] & 0xFF;
  }

  private static double linear(Pixels image, int channel, double column, double row) {
    int x = (int) Math.floor(column);
    int y = (int) Math.floor(row);
    double dx = column - x;
    double upper = linearRow(image, channel, x, y, dx);
    boolean hasLower = y + 1 >= 0 && y + 1 < image.height;
    double lower = hasLower ? linearRow(image, channel, x, y + 1, dx) : upper;
    return upper + (lower - upper) * (row - y);
  }

  private static double linearRow(Pixels image, int channel, int x, int y, double dx) {
    int left = at(image, x, y, channel);
    return left + (at(image, x + 1, y, channel) - left) * dx;
  }

  private static double cubic(Pixels image, int channel, double column, double row) {
    int x = (int) Math.floor(column);
    int y = (int) Math.floor(row);
    double dx = column - x;
    double first = cubicRow(image, channel, x - 1, y - 1, dx);
    double second = isRow(image, y) ? cubicRow(image, channel, x - 1, y, dx) : first;
    double third = isRow(image, y + 1) ? cubicRow(image, channel, x - 1, y + 1, dx) : second;
    double fourth = isRow(image, y + 2) ? cubicRow(image, channel, x - 1, y + 2, dx) : third;
    return cubic(first, second, third, fourth, row - y);
  }

  private static boolean isRow(Pixels image, int y) {
    return y >= 0 && y < image.height;
  }

  private static double cubicRow(Pixels image, int channel, int x, int y, double dx) {
    return cubic(
        at(image, x, y, channel),
        at(image, x + 1, y, channel),
        at(image, x + 2, y, channel),
        at(image, x + 3, y, channel),
        dx);
  }

  private static double cubic(double v1, double v2, double v3, double v4, double t) {
    double p2 = -v1 + v3;
    double p3 = 2 * (v1 - v2) + v3 - v4;
    double p4 = -v1 + v2 - v3 + v4;
    return v2 + t * (p2 + t * (p3 + t * p4));
  }
}
