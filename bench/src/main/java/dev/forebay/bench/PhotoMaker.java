package dev.forebay.bench;

import dev.forebay.transform.Randomness;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/**
 * Makes JPEG pictures that cost a decoder what photographs cost: about 500 x 375 pixels, 4:2:0,
 * about 106 KB, as those of ImageNet. Discs of all sizes cover each other, which gives edges and
 * the spectrum of natural pictures; noise like a sensor's makes up the bits. Stateless; the same
 * number gives the same picture.
 *
 * <p>Source: A. Lee, D. Mumford, J. Huang, "Occlusion models for natural images: a statistical
 * study of a scale-invariant dead leaves model", IJCV 41, 2001.
 */
final class PhotoMaker {
  private static final int CLASSES = 20;
  private static final double RADIUS_MIN = 4;
  private static final double RADIUS_MAX = 200;
  private static final int DISCS = 900;
  private static final double NOISE = 5.3;
  private static final float QUALITY = 0.93f;

  private PhotoMaker() {}

  /** How large pictures are. */
  enum Size {
    /** About 500 x 375 pixels and 106 KB. */
    USUAL(1),
    /** About 870 x 650 pixels and 323 KB. */
    LARGE(1.74);

    private final double factor;

    Size(double factor) {
      this.factor = factor;
    }
  }

  /** Writes picture {@code number} into its class's folder, unless it is there. */
  static void write(Path root, int number) throws IOException {
    Path folder = root.resolve("class-%02d".formatted(number % CLASSES));
    Files.createDirectories(folder);
    write(folder.resolve("photo-%06d.jpg".formatted(number)), number, Size.USUAL);
  }

  /** Writes picture {@code number}, unless it is there. */
  static void write(Path file, int number, Size size) throws IOException {
    if (Files.exists(file)) {
      return;
    }
    Path part = file.resolveSibling(file.getFileName() + ".part");
    encode(draw(number, size), part);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static BufferedImage draw(int number, Size size) {
    Randomness random = new Randomness();
    random.startSample(0x50686F746FL, 0, number);
    boolean isUpright = random.nextBoolean(0.2);
    int usual = random.nextBoolean(0.6) ? 500 : 400 + random.nextInt(300);
    int longer = (int) (usual * size.factor);
    int shorter = random.nextBoolean(0.7) ? longer * 3 / 4 : longer * 2 / 3;
    int width = isUpright ? shorter : longer;
    int height = isUpright ? longer : shorter;
    double[] pixels = new double[width * height * 3];
    for (int disc = 0; disc < DISCS; disc++) {
      drawDisc(pixels, width, height, random, disc == 0);
    }
    return develop(pixels, width, height, random);
  }

  /** Radii with a density of r^-3; a soft shade across each disc. */
  private static void drawDisc(
      double[] pixels, int width, int height, Randomness random, boolean isGround) {
    double low = 1 / (RADIUS_MAX * RADIUS_MAX);
    double high = 1 / (RADIUS_MIN * RADIUS_MIN);
    double radius = isGround ? 2000 : 1 / Math.sqrt(random.nextDouble(low, high));
    double centerX = random.nextDouble(0, width);
    double centerY = random.nextDouble(0, height);
    double light = random.nextDouble(30, 225);
    double[] color = new double[3];
    for (int channel = 0; channel < 3; channel++) {
      color[channel] = light + random.nextDouble(-35, 35);
    }
    double slopeX = random.nextDouble(-25, 25) / radius;
    double slopeY = random.nextDouble(-25, 25) / radius;
    int top = (int) Math.max(0, centerY - radius);
    int bottom = (int) Math.min(height, centerY + radius + 1);
    for (int y = top; y < bottom; y++) {
      double reach = Math.sqrt(Math.max(0, radius * radius - (y - centerY) * (y - centerY)));
      int left = (int) Math.max(0, centerX - reach);
      int right = (int) Math.min(width, centerX + reach + 1);
      for (int x = left; x < right; x++) {
        double shade = (x - centerX) * slopeX + (y - centerY) * slopeY;
        for (int channel = 0; channel < 3; channel++) {
          pixels[(y * width + x) * 3 + channel] = color[channel] + shade;
        }
      }
    }
  }

  private static BufferedImage develop(double[] pixels, int width, int height, Randomness random) {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    double noise = NOISE * random.nextDouble(0.5, 1.5);
    for (int at = 0; at < width * height; at++) {
      // The sum of some uniform numbers is normal enough.
      double gray = 0;
      long bits = random.nextLong();
      for (int i = 0; i < 4; i++) {
        gray += ((bits >>> (16 * i)) & 0xFFFF) / 65536.0 - 0.5;
      }
      int rgb = 0;
      for (int channel = 0; channel < 3; channel++) {
        double value = pixels[at * 3 + channel] + noise * 1.7 * gray;
        rgb = rgb << 8 | (int) Math.clamp(Math.rint(value), 0, 255);
      }
      image.setRGB(at % width, at / width, rgb);
    }
    return image;
  }

  private static void encode(BufferedImage image, Path file) throws IOException {
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
      ImageWriteParam settings = writer.getDefaultWriteParam();
      settings.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      settings.setCompressionQuality(QUALITY);
      writer.setOutput(out);
      writer.write(null, new IIOImage(image, null, null), settings);
    } finally {
      writer.dispose();
    }
  }
}
