package dev.forebay.image;

/**
 * What becomes of an image's geometry: a part of it is scaled, and a part of that is kept. Confined
 * to one worker, which reuses it.
 *
 * <p>As long as nothing is scaled, the part that is kept is all of the part.
 */
final class Frame {
  /** The part: its first row and column in the image, and its size. */
  int top;

  int left;
  int height;
  int width;

  /** Its size once it is scaled. */
  int scaledHeight;

  int scaledWidth;
  Interpolation filter = Interpolation.BILINEAR;

  /** What is kept of the scaled part. */
  int outTop;

  int outLeft;
  int outHeight;
  int outWidth;

  private boolean isScaled;

  /** The whole image, as it is. */
  void start(int height, int width) {
    top = 0;
    left = 0;
    isScaled = false;
    setSize(height, width);
  }

  private void setSize(int height, int width) {
    this.height = height;
    this.width = width;
    scaledHeight = height;
    scaledWidth = width;
    outTop = 0;
    outLeft = 0;
    outHeight = height;
    outWidth = width;
  }

  boolean isScaled() {
    return isScaled;
  }

  /** Keeps a part of what is kept so far; it lies inside. */
  void crop(int rows, int columns, int newHeight, int newWidth) {
    if (isScaled) {
      outTop += rows;
      outLeft += columns;
      outHeight = newHeight;
      outWidth = newWidth;
      return;
    }
    top += rows;
    left += columns;
    setSize(newHeight, newWidth);
  }

  /**
   * Moves the part to the picture at a fraction of its size, rounded to whole pixels there.
   *
   * @param imageHeight rows of the picture at its full size
   */
  void shrink(int denominator, int imageHeight, int imageWidth) {
    int rows = Math.ceilDiv(imageHeight, denominator);
    int columns = Math.ceilDiv(imageWidth, denominator);
    top = Math.min(rows - 1, Math.round((float) top / denominator));
    left = Math.min(columns - 1, Math.round((float) left / denominator));
    height = Math.clamp(Math.round((float) height / denominator), 1, rows - top);
    width = Math.clamp(Math.round((float) width / denominator), 1, columns - left);
  }

  /** Scales what is kept; not after it was scaled. */
  void scale(int newHeight, int newWidth, Interpolation filter) {
    isScaled = true;
    this.filter = filter;
    scaledHeight = newHeight;
    scaledWidth = newWidth;
    outHeight = newHeight;
    outWidth = newWidth;
  }
}
