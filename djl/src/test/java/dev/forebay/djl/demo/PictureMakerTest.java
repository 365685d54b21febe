package dev.forebay.djl.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PictureMakerTest {
  private static int[] pixels(BufferedImage image) {
    return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
  }

  @Test
  void picture_sameSeedAndNumber_isTheSame() {
    int[] once = pixels(PictureMaker.picture(7, 3));
    assertArrayEquals(once, pixels(PictureMaker.picture(7, 3)));
    assertTrue(!Arrays.equals(once, pixels(PictureMaker.picture(7, 4))));
    assertTrue(!Arrays.equals(once, pixels(PictureMaker.picture(13, 3))));
  }

  /**
   * Amplitudes that fall as 1/f: twice the distance, about twice the mean square of differences.
   */
  @Test
  void picture_ground_variesMoreOverLargerDistances() {
    double[] variation = new double[4];
    for (int number = 0; number < 12; number++) {
      BufferedImage image = PictureMaker.picture(number, 1);
      for (int scale = 0; scale < variation.length; scale++) {
        variation[scale] += meanSquare(image, 1 << scale);
      }
    }
    for (int scale = 1; scale < variation.length; scale++) {
      double growth = variation[scale] / variation[scale - 1];
      assertTrue(growth > 1.3 && growth < 4, "scale " + scale + " grows by " + growth);
    }
  }

  private static double meanSquare(BufferedImage image, int distance) {
    double sum = 0;
    int count = 0;
    for (int y = 0; y < image.getHeight(); y += 3) {
      for (int x = 0; x + distance < image.getWidth(); x += 3) {
        int difference =
            (image.getRGB(x, y) >> 8 & 0xFF) - (image.getRGB(x + distance, y) >> 8 & 0xFF);
        sum += difference * difference;
        count++;
      }
    }
    return sum / count;
  }

  @Test
  void make_folder_hasEachClassEquallyOften(@TempDir Path folder)
      throws IOException, InterruptedException {
    AtomicInteger last = new AtomicInteger();
    PictureMaker.make(folder, new PictureMaker.Order(24, 5, () -> false), last::set);
    assertEquals(24, last.get());
    for (String name : PictureMaker.CLASSES) {
      try (Stream<Path> files = Files.list(folder.resolve(name))) {
        assertEquals(4, files.filter(file -> file.toString().endsWith(".jpg")).count());
      }
    }
  }
}
