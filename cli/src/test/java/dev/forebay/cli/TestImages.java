package dev.forebay.cli;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;

/** Folders of small pictures. */
final class TestImages {
  private TestImages() {}

  /** A folder with classes "a", "b", ... that have so many pictures each, all of other sizes. */
  static Path folder(Path root, int... counts) throws IOException {
    SplittableRandom random = new SplittableRandom(counts.length);
    for (int label = 0; label < counts.length; label++) {
      Path folder = Files.createDirectories(root.resolve(String.valueOf((char) ('a' + label))));
      for (int i = 0; i < counts[label]; i++) {
        write(folder.resolve("%03d.png".formatted(i)), random);
      }
    }
    return root;
  }

  private static void write(Path file, SplittableRandom random) throws IOException {
    BufferedImage image =
        new BufferedImage(
            random.nextInt(20, 60), random.nextInt(20, 60), BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        image.setRGB(x, y, random.nextInt());
      }
    }
    ImageIO.write(image, "png", file.toFile());
  }
}
