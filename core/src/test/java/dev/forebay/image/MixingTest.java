package dev.forebay.image;

import static dev.forebay.testing.Thrown.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.Batch;
import dev.forebay.DataLoader;
import dev.forebay.dataset.ArrayDataset;
import dev.forebay.dataset.Dataset;
import dev.forebay.error.SampleException;
import dev.forebay.memory.DType;
import dev.forebay.transform.BatchTransform;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Transform;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** MixUp and CutMix in a loader, against their definition. */
class MixingTest {
  private static final int SIZE = 10;
  private static final int HEIGHT = 6;
  private static final int WIDTH = 8;
  private static final int CLASSES = 10;

  /** Image i is a gradient that begins at 20 i; its label is i. */
  private static Dataset dataset() {
    byte[] pixels = new byte[SIZE * HEIGHT * WIDTH * 3];
    long[] labels = new long[SIZE];
    for (int i = 0; i < SIZE; i++) {
      labels[i] = i;
      for (int at = 0; at < HEIGHT * WIDTH * 3; at++) {
        pixels[i * HEIGHT * WIDTH * 3 + at] = (byte) (20 * i + at % 17);
      }
    }
    return ArrayDataset.builder()
        .field("image", pixels, HEIGHT, WIDTH, 3)
        .field("label", labels)
        .build();
  }

  private static DataLoader loader(Layout layout, int workers, BatchTransform... mix) {
    List<Transform> transforms =
        List.of(ConvertImage.of(DType.FLOAT32, layout), OneHot.of(CLASSES));
    return DataLoader.builder(dataset())
        .batchSize(4)
        .shuffle(true)
        .seed(3)
        .workers(workers)
        .transforms(transforms)
        .batchTransforms(List.of(mix))
        .build();
  }

  private record Columns(List<float[]> images, List<float[]> labels) {
    static Columns of(DataLoader loader) {
      Columns columns = new Columns(new ArrayList<>(), new ArrayList<>());
      for (Batch batch : loader) {
        columns.images.add(batch.tensor("image").toFloats());
        columns.labels.add(batch.tensor("label").toFloats());
      }
      return columns;
    }
  }

  private static Columns columns(Layout layout, int workers, BatchTransform... mix) {
    try (DataLoader loader = loader(layout, workers, mix)) {
      return Columns.of(loader);
    }
  }

  @Test
  void mixUp_eachRow_isOneBlendOfImageAndLabelWithTheRowBefore() {
    Columns plain = columns(Layout.NCHW, 1);
    Columns mixed = columns(Layout.NCHW, 2, MixUp.of(0.4));
    for (int batch = 0; batch < plain.images.size(); batch++) {
      int rows = plain.labels.get(batch).length / CLASSES;
      double share = share(plain.labels.get(batch), mixed.labels.get(batch));
      assertBlended(plain.labels.get(batch), mixed.labels.get(batch), rows, share);
      assertBlended(plain.images.get(batch), mixed.images.get(batch), rows, share);
    }
  }

  /** How much of the first row's own class is left. */
  private static double share(float[] plain, float[] mixed) {
    for (int i = 0; i < CLASSES; i++) {
      if (plain[i] == 1) {
        return mixed[i];
      }
    }
    throw new AssertionError("no class");
  }

  private static void assertBlended(float[] plain, float[] mixed, int rows, double share) {
    int length = plain.length / rows;
    for (int i = 0; i < plain.length; i++) {
      float before = plain[(i + plain.length - length) % plain.length];
      assertEquals(plain[i] * share + before * (1 - share), mixed[i], 1e-5);
    }
  }

  @Test
  void cutMix_eachRow_hasOneRectangleOfTheRowBeforeAndLabelsByItsArea() {
    for (Layout layout : Layout.values()) {
      Columns plain = columns(layout, 1);
      Columns mixed = columns(layout, 2, CutMix.of(1));
      for (int batch = 0; batch < plain.images.size(); batch++) {
        float[] before = plain.images.get(batch);
        float[] after = mixed.images.get(batch);
        int rows = plain.labels.get(batch).length / CLASSES;
        int length = before.length / rows;
        int replaced = 0;
        for (int i = 0; i < before.length; i++) {
          float other = before[(i + before.length - length) % before.length];
          assertTrue(after[i] == before[i] || after[i] == other, "a mixed number comes up");
          replaced += after[i] != before[i] ? 1 : 0;
        }
        double share = 1 - replaced / (double) before.length;
        assertBlended(plain.labels.get(batch), mixed.labels.get(batch), rows, share);
      }
    }
  }

  @Test
  void mixing_anyWorkers_isTheSame() {
    Columns one = columns(Layout.NHWC, 1, MixUp.of(0.2), CutMix.of(1));
    for (int workers : new int[] {0, 2, 7}) {
      Columns other = columns(Layout.NHWC, workers, MixUp.of(0.2), CutMix.of(1));
      for (int batch = 0; batch < one.images.size(); batch++) {
        assertArrayEquals(one.images.get(batch), other.images.get(batch));
        assertArrayEquals(one.labels.get(batch), other.labels.get(batch));
      }
    }
  }

  @Test
  void mixing_epochs_drawAnew() {
    try (DataLoader loader = loader(Layout.NCHW, 1, MixUp.of(1))) {
      Iterator<Batch> first = loader.iterator();
      float once = first.next().tensor("label").toFloats()[0];
      Iterator<Batch> second = loader.iterator();
      float again = second.next().tensor("label").toFloats()[0];
      assertTrue(once != again || once == 0, "both epochs mix by " + once);
    }
  }

  /** Mean 1/2 and variance 1 / (4 (2 alpha + 1)). */
  @Test
  void beta_manyDraws_haveItsMoments() {
    Randomness random = new Randomness();
    random.startSample(1, 0, 0);
    for (double alpha : new double[] {0.2, 0.5, 1, 2, 8}) {
      int count = 20_000;
      double[] draws = new double[count];
      for (int i = 0; i < count; i++) {
        draws[i] = Mixing.beta(random, alpha);
        assertTrue(draws[i] >= 0 && draws[i] <= 1);
      }
      double variance = 1 / (4 * (2 * alpha + 1));
      assertEquals(0.5, mean(draws, x -> x), 5 * Math.sqrt(variance / count));
      assertEquals(variance, mean(draws, x -> (x - 0.5) * (x - 0.5)), 0.05 * variance);
    }
  }

  private static double mean(double[] numbers, DoubleUnaryOperator of) {
    double sum = 0;
    for (double number : numbers) {
      sum += of.applyAsDouble(number);
    }
    return sum / numbers.length;
  }

  @Test
  void mixing_withoutProbabilities_saysWhatIsMissing() {
    DataLoader.Builder builder =
        DataLoader.builder(dataset())
            .transforms(List.of(Normalize.imagenet()))
            .batchTransforms(List.of(MixUp.of(1)));
    assertFails(IllegalArgumentException.class, "one_hot", builder::build);
    builder.transforms(List.of(OneHot.of(CLASSES)));
    assertFails(IllegalArgumentException.class, "normalize", builder::build);
  }

  @Test
  void oneHot_labelBeyondTheClasses_isTheSamplesError() {
    try (DataLoader loader =
        DataLoader.builder(dataset()).transforms(List.of(OneHot.of(5))).workers(1).build()) {
      assertFails(
          SampleException.class,
          "is not one of the 5 classes",
          () -> loader.iterator().forEachRemaining(Batch::close));
    }
  }
}
