package dev.forebay.djl.demo;

import dev.forebay.transform.Randomness;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;

/**
 * Makes a data set of JPEG pictures: on a ground with the 1/f spectrum of natural pictures, each
 * shows the pattern of its class, of random size, place, direction and colour. The same seed gives
 * the same pictures. Stateless.
 *
 * <p>Source of the spectrum: D. Field, "Relations between the statistics of natural images and the
 * response properties of cortical cells", JOSA A 4, 1987.
 */
final class PictureMaker {
  static final int WIDTH = 320;
  static final int HEIGHT = 240;
  static final List<String> CLASSES =
      List.of("checks", "dots", "rings", "spokes", "stripes", "waves");

  private static final float QUALITY = 0.85f;
  private static final int OCTAVES = 6;
  private static final double PATTERN_STRENGTH = 70;
  private static final double GROUND_STRENGTH = 60;

  private PictureMaker() {}

  /**
   * What is to be made.
   *
   * @param count the number of pictures
   * @param seed the same gives the same pictures
   * @param isEnding true once no more shall be made
   */
  record Order(int count, long seed, BooleanSupplier isEnding) {}

  /**
   * Writes pictures into one folder per class, the classes in turn.
   *
   * @param made is told how many are done
   */
  static void make(Path root, Order order, IntConsumer made)
      throws IOException, InterruptedException {
    for (String name : CLASSES) {
      Files.createDirectories(root.resolve(name));
    }
    List<Future<?>> tasks = new ArrayList<>();
    try (ExecutorService executor =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
      for (int i = 0; i < order.count; i++) {
        int number = i;
        tasks.add(
            executor.submit(
                () -> {
                  if (!order.isEnding.getAsBoolean()) {
                    write(root, number, order.seed);
                  }
                  return null;
                }));
      }
      awaitAll(tasks, made);
    }
  }

  private static void awaitAll(List<Future<?>> tasks, IntConsumer made)
      throws IOException, InterruptedException {
    try {
      for (int i = 0; i < tasks.size(); i++) {
        tasks.get(i).get();
        made.accept(i + 1);
      }
    } catch (ExecutionException e) {
      throw new IOException("a picture could not be made: " + e.getCause(), e);
    } finally {
      tasks.forEach(task -> task.cancel(true));
    }
  }

  private static void write(Path root, int number, long seed) throws IOException {
    int label = number % CLASSES.size();
    Path file = root.resolve(CLASSES.get(label)).resolve("%05d.jpg".formatted(number));
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
      if (out == null) {
        throw new IOException(file + " cannot be written");
      }
      ImageWriteParam settings = writer.getDefaultWriteParam();
      settings.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      settings.setCompressionQuality(QUALITY);
      writer.setOutput(out);
      writer.write(null, new IIOImage(picture(number, seed), null, null), settings);
    } finally {
      writer.dispose();
    }
  }

  /** The picture of a number, whose class is the number modulo the number of classes. */
  static BufferedImage picture(int number, long seed) {
    Randomness random = new Randomness();
    random.startSample(seed, 0, number);
    double[] ground = noise(random);
    double[] tint = noise(random);
    Pattern pattern = Pattern.draw(number % CLASSES.size(), random);
    double[] color = {random.nextDouble(-1, 1), random.nextDouble(-1, 1), random.nextDouble(-1, 1)};
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        int at = y * WIDTH + x;
        double shape = PATTERN_STRENGTH * pattern.at(x, y);
        int rgb = 0;
        for (int channel = 0; channel < 3; channel++) {
          double light =
              128
                  + GROUND_STRENGTH * (ground[at] + 0.5 * color[channel] * tint[at])
                  + shape * (1 + 0.5 * color[channel]);
          rgb = rgb << 8 | Math.clamp(Math.round(light), 0, 255);
        }
        image.setRGB(x, y, rgb);
      }
    }
    return image;
  }

  /**
   * Noise whose amplitude falls as 1/f: octaves of smoothly interpolated random grids, each twice
   * as fine and half as strong as the one before. Deviation about 1.
   */
  private static double[] noise(Randomness random) {
    double[] sum = new double[WIDTH * HEIGHT];
    double amplitude = 1;
    for (int octave = 0; octave < OCTAVES; octave++) {
      int cell = 128 >> octave;
      addGrid(sum, cell, amplitude, random);
      amplitude /= 2;
    }
    return sum;
  }

  private static void addGrid(double[] sum, int cell, double amplitude, Randomness random) {
    int columns = WIDTH / cell + 2;
    int rows = HEIGHT / cell + 2;
    double[] grid = new double[columns * rows];
    for (int i = 0; i < grid.length; i++) {
      grid[i] = random.nextDouble(-1.7, 1.7) * amplitude;
    }
    for (int y = 0; y < HEIGHT; y++) {
      double v = smooth(y % cell / (double) cell);
      int row = y / cell * columns;
      for (int x = 0; x < WIDTH; x++) {
        double u = smooth(x % cell / (double) cell);
        int place = row + x / cell;
        double upper = grid[place] + u * (grid[place + 1] - grid[place]);
        double lower =
            grid[place + columns] + u * (grid[place + columns + 1] - grid[place + columns]);
        sum[y * WIDTH + x] += upper + v * (lower - upper);
      }
    }
  }

  private static double smooth(double t) {
    return t * t * (3 - 2 * t);
  }

  /** A class's pattern with one picture's parameters; between -1 and 1. */
  private record Pattern(
      int kind, double centerX, double centerY, double cosine, double sine, double period) {
    static Pattern draw(int kind, Randomness random) {
      double angle = random.nextDouble(0, 2 * Math.PI);
      return new Pattern(
          kind,
          random.nextDouble(0.3, 0.7) * WIDTH,
          random.nextDouble(0.3, 0.7) * HEIGHT,
          Math.cos(angle),
          Math.sin(angle),
          random.nextDouble(28, 56));
    }

    double at(int x, int y) {
      double u = ((x - centerX) * cosine + (y - centerY) * sine) / period;
      double v = ((y - centerY) * cosine - (x - centerX) * sine) / period;
      return switch (CLASSES.get(kind)) {
        case "checks" -> Math.signum(wave(u)) * Math.signum(wave(v));
        case "dots" -> Math.hypot(u - Math.rint(u), v - Math.rint(v)) < 0.3 ? 1 : -0.4;
        case "rings" -> wave(Math.hypot(u, v));
        case "spokes" -> Math.sin(8 * Math.atan2(v, u));
        case "stripes" -> wave(u);
        default -> wave(u + 0.6 * wave(v / 2));
      };
    }

    private static double wave(double t) {
      return Math.sin(2 * Math.PI * t);
    }
  }
}
