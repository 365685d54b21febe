package dev.forebay.image;

import java.util.Arrays;

/**
 * Changes of colour, in place, to the pixels of Pillow's {@code ImageEnhance}, {@code ImageOps} and
 * colour conversions; a grey image is changed as Pillow's mode "L". Confined to one worker.
 */
final class ColorOps {
  /** Weights of red, green and blue in luminance, ITU-R 601 in 16-bit fixed point. */
  private static final int RED = 19595;

  private static final int GREEN = 38470;
  private static final int BLUE = 7471;

  private final int[] histogram = new int[256];
  private final byte[] table = new byte[256];
  private byte[] smooth = new byte[0];

  /** The luminance of three bytes. */
  static int luminance(byte[] data, int at) {
    int sum =
        RED * (data[at] & 0xFF) + GREEN * (data[at + 1] & 0xFF) + BLUE * (data[at + 2] & 0xFF);
    return (sum + 0x8000) >> 16;
  }

  /** Makes all channels of a pixel its luminance. */
  static void grayscale(Pixels image) {
    if (image.channels == 1) {
      return;
    }
    for (int at = 0; at < image.count(); at += 3) {
      byte gray = (byte) luminance(image.data, at);
      image.data[at] = gray;
      image.data[at + 1] = gray;
      image.data[at + 2] = gray;
    }
  }

  /** Pillow's blend of two bytes: in float32, cut off at the ends of the range. */
  private static byte blend(int from, int to, float factor) {
    float mixed = from + factor * (to - from);
    return (byte) (mixed <= 0 ? 0 : mixed >= 255 ? 255 : (int) mixed);
  }

  /** 0 gives black, 1 the image. */
  static void brightness(Pixels image, double factor) {
    for (int at = 0; at < image.count(); at++) {
      image.data[at] = blend(0, image.data[at] & 0xFF, (float) factor);
    }
  }

  /** 0 gives a grey of the image's mean luminance, 1 the image. */
  static void contrast(Pixels image, double factor) {
    long sum = 0;
    for (int at = 0; at < image.count(); at += image.channels) {
      sum += image.channels == 1 ? image.data[at] & 0xFF : luminance(image.data, at);
    }
    int mean = (int) (sum / (double) (image.width * (long) image.height) + 0.5);
    for (int at = 0; at < image.count(); at++) {
      image.data[at] = blend(mean, image.data[at] & 0xFF, (float) factor);
    }
  }

  /** 0 gives a grey image, 1 the image. */
  static void saturation(Pixels image, double factor) {
    if (image.channels == 1) {
      return;
    }
    for (int at = 0; at < image.count(); at += 3) {
      int gray = luminance(image.data, at);
      for (int channel = at; channel < at + 3; channel++) {
        image.data[channel] = blend(gray, image.data[channel] & 0xFF, (float) factor);
      }
    }
  }

  /**
   * Turns the hue by {@code turn} of the full circle, -0.5 to 0.5, through Pillow's 8-bit mode
   * "HSV".
   */
  static void hue(Pixels image, double turn) {
    if (image.channels == 1) {
      return;
    }
    int shift = (int) (turn * 255);
    for (int at = 0; at < image.count(); at += 3) {
      turnHue(image.data, at, shift);
    }
  }

  private static void turnHue(byte[] data, int at, int shift) {
    int red = data[at] & 0xFF;
    int green = data[at + 1] & 0xFF;
    int blue = data[at + 2] & 0xFF;
    int max = Math.max(red, Math.max(green, blue));
    int min = Math.min(red, Math.min(green, blue));
    if (min == max) {
      return;
    }
    float range = max - min;
    int saturation = (int) (range / max * 255.0);
    if (saturation == 0) {
      Arrays.fill(data, at, at + 3, (byte) max);
      return;
    }
    float toRed = (max - red) / range;
    float toGreen = (max - green) / range;
    float toBlue = (max - blue) / range;
    float sector =
        red == max
            ? toBlue - toGreen
            : green == max ? (float) (2.0 + toRed - toBlue) : (float) (4.0 + toGreen - toRed);
    float circle = (float) ((sector / 6.0 + 1.0) % 1.0);
    int hue = ((int) (circle * 255.0) + shift) & 0xFF;
    writeHsv(data, at, hue, saturation, max);
  }

  private static void writeHsv(byte[] data, int at, int hue, int saturation, int value) {
    double place = hue * 6.0 / 255.0;
    int sector = (int) place;
    float rest = (float) (place - sector);
    float full = (float) (saturation / 255.0);
    int low = (int) Math.round(value * (1.0 - full));
    int falling = (int) Math.round(value * (1.0 - full * rest));
    int rising = (int) Math.round(value * (1.0 - full * (1.0 - rest)));
    switch (sector % 6) {
      case 0 -> write(data, at, value, rising, low);
      case 1 -> write(data, at, falling, value, low);
      case 2 -> write(data, at, low, value, rising);
      case 3 -> write(data, at, low, falling, value);
      case 4 -> write(data, at, rising, low, value);
      default -> write(data, at, value, low, falling);
    }
  }

  private static void write(byte[] data, int at, int red, int green, int blue) {
    data[at] = (byte) red;
    data[at + 1] = (byte) green;
    data[at + 2] = (byte) blue;
  }

  /** 0 gives a smoothed image, 1 the image, more a sharpened one. */
  void sharpness(Pixels image, double factor) {
    int count = image.count();
    if (smooth.length < count) {
      smooth = new byte[count];
    }
    smooth(image);
    for (int at = 0; at < count; at++) {
      image.data[at] = blend(smooth[at] & 0xFF, image.data[at] & 0xFF, (float) factor);
    }
  }

  /** Pillow's filter SMOOTH: 3 x 3 pixels, the middle one five times; the edges stay. */
  private void smooth(Pixels image) {
    int row = image.rowBytes();
    int step = image.channels;
    byte[] data = image.data;
    System.arraycopy(data, 0, smooth, 0, image.count());
    for (int y = 1; y < image.height - 1; y++) {
      for (int at = y * row + step; at < (y + 1) * row - step; at++) {
        int sum = 4 * (data[at] & 0xFF);
        for (int line = at - row; line <= at + row; line += row) {
          sum += (data[line - step] & 0xFF) + (data[line] & 0xFF) + (data[line + step] & 0xFF);
        }
        smooth[at] = (byte) ((2 * sum + 13) / 26);
      }
    }
  }

  /** Keeps the upper bits of each value, 0 to 8 of them. */
  void posterize(Pixels image, int bits) {
    int mask = 256 - (1 << (8 - bits));
    for (int value = 0; value < 256; value++) {
      table[value] = (byte) (value & mask);
    }
    lookUp(image, 0, 1);
  }

  /** Inverts all values from a threshold on. */
  void solarize(Pixels image, double threshold) {
    for (int value = 0; value < 256; value++) {
      table[value] = (byte) (value < threshold ? value : 255 - value);
    }
    lookUp(image, 0, 1);
  }

  /** Stretches the values of each channel to the full range. */
  void autocontrast(Pixels image) {
    for (int channel = 0; channel < image.channels; channel++) {
      count(image, channel);
      int low = 0;
      while (low < 255 && histogram[low] == 0) {
        low++;
      }
      int high = 255;
      while (high > 0 && histogram[high] == 0) {
        high--;
      }
      if (high <= low) {
        continue;
      }
      double scale = 255.0 / (high - low);
      double offset = -low * scale;
      for (int value = 0; value < 256; value++) {
        table[value] = (byte) Math.clamp((long) (value * scale + offset), 0, 255);
      }
      lookUp(image, channel, image.channels);
    }
  }

  /** Spreads the values of each channel so that all are about equally frequent. */
  void equalize(Pixels image) {
    for (int channel = 0; channel < image.channels; channel++) {
      count(image, channel);
      int last = 255;
      while (last > 0 && histogram[last] == 0) {
        last--;
      }
      int step = (image.width * image.height - histogram[last]) / 255;
      if (step == 0) {
        continue;
      }
      int sum = step / 2;
      for (int value = 0; value < 256; value++) {
        table[value] = (byte) Math.min(255, sum / step);
        sum += histogram[value];
      }
      lookUp(image, channel, image.channels);
    }
  }

  private void count(Pixels image, int channel) {
    Arrays.fill(histogram, 0);
    for (int at = channel; at < image.count(); at += image.channels) {
      histogram[image.data[at] & 0xFF]++;
    }
  }

  private void lookUp(Pixels image, int from, int step) {
    for (int at = from; at < image.count(); at += step) {
      image.data[at] = table[image.data[at] & 0xFF];
    }
  }
}
