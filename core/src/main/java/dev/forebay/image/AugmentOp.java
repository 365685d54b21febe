package dev.forebay.image;

/**
 * The fourteen operations of automatic augmentation, with the meaning that torchvision gives their
 * magnitudes.
 */
enum AugmentOp {
  IDENTITY(false),
  SHEAR_X(true),
  SHEAR_Y(true),
  TRANSLATE_X(true),
  TRANSLATE_Y(true),
  ROTATE(true),
  BRIGHTNESS(true),
  COLOR(true),
  CONTRAST(true),
  SHARPNESS(true),
  POSTERIZE(false),
  SOLARIZE(false),
  AUTOCONTRAST(false),
  EQUALIZE(false);

  private static final AugmentOp[] ALL = values();

  /** Whether the magnitude's sign is drawn, too. */
  final boolean isSigned;

  AugmentOp(boolean isSigned) {
    this.isSigned = isSigned;
  }

  static AugmentOp of(int index) {
    return ALL[index];
  }

  static int count() {
    return ALL.length;
  }

  /** What an operation works with. Confined to one worker. */
  static final class Tools {
    final ColorOps color = new ColorOps();
    final AffineMap map = new AffineMap();
    final Interpolation interpolation;
    final int fill;

    Tools(Interpolation interpolation, int fill) {
      this.interpolation = interpolation;
      this.fill = fill;
    }
  }

  /** Changes an image in place. */
  void apply(Pixels image, double magnitude, Tools tools) {
    switch (this) {
      case IDENTITY -> {}
      case SHEAR_X -> shear(image, Math.toDegrees(StrictMath.atan(magnitude)), 0, tools);
      case SHEAR_Y -> shear(image, 0, Math.toDegrees(StrictMath.atan(magnitude)), tools);
      case TRANSLATE_X -> translate(image, (int) magnitude, 0, tools);
      case TRANSLATE_Y -> translate(image, 0, (int) magnitude, tools);
      case ROTATE -> {
        tools.map.setRotation(magnitude, image.height, image.width);
        tools.map.apply(image, tools.interpolation, tools.fill);
      }
      case BRIGHTNESS -> ColorOps.brightness(image, 1 + magnitude);
      case COLOR -> ColorOps.saturation(image, 1 + magnitude);
      case CONTRAST -> ColorOps.contrast(image, 1 + magnitude);
      case SHARPNESS -> tools.color.sharpness(image, 1 + magnitude);
      case POSTERIZE -> tools.color.posterize(image, (int) magnitude);
      case SOLARIZE -> tools.color.solarize(image, magnitude);
      case AUTOCONTRAST -> tools.color.autocontrast(image);
      case EQUALIZE -> tools.color.equalize(image);
    }
  }

  private static void shear(Pixels image, double degreesX, double degreesY, Tools tools) {
    AffineMap map = tools.map.start();
    map.shearXDegrees = degreesX;
    map.shearYDegrees = degreesY;
    map.compute(0, 0);
    map.apply(image, tools.interpolation, tools.fill);
  }

  private static void translate(Pixels image, int x, int y, Tools tools) {
    AffineMap map = tools.map.start();
    map.translateX = x;
    map.translateY = y;
    map.compute(image.width * 0.5, image.height * 0.5);
    map.apply(image, tools.interpolation, tools.fill);
  }
}
