package dev.forebay.image;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.forebay.Batch;
import dev.forebay.DataLoader;
import dev.forebay.dataset.ArrayDataset;
import dev.forebay.dataset.Dataset;
import dev.forebay.memory.DType;
import dev.forebay.testing.LeakCheck;
import dev.forebay.transform.BatchTransform;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Transform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Promise P5 for images: once buffers have grown, a sample allocates next to nothing. */
@ExtendWith(LeakCheck.class)
class ImageAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int SIZE = 600;
  private static final int PICTURES = 24;

  /** JPEG pictures of different sizes, each many times. */
  private static Dataset pictures() throws IOException {
    byte[][] files = new byte[SIZE][];
    long[] labels = new long[SIZE];
    Randomness random = new Randomness();
    for (int i = 0; i < PICTURES; i++) {
      random.startSample(1, 0, i);
      int width = 60 + random.nextInt(60);
      int height = 60 + random.nextInt(60);
      BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
      for (int at = 0; at < width * height; at++) {
        int shade = (at % width * 2 + at / width) & 0xFF;
        image.setRGB(at % width, at / width, shade << 16 | (255 - shade) << 8 | random.nextInt(99));
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ImageIO.write(image, "jpeg", bytes);
      files[i] = bytes.toByteArray();
    }
    for (int i = 0; i < SIZE; i++) {
      files[i] = files[i % PICTURES];
      labels[i] = i % 10;
    }
    return ArrayDataset.builder().field("image", files).field("label", labels).build();
  }

  private static double bytesPerSample(List<Transform> transforms, BatchTransform... mix)
      throws IOException {
    try (Dataset pictures = pictures();
        DataLoader loader =
            DataLoader.builder(pictures)
                .batchSize(100)
                .shuffle(true)
                .workers(1)
                .transforms(transforms)
                .batchTransforms(List.of(mix))
                .build()) {
      // What the JIT has not compiled yet allocates more, so the best of some epochs counts.
      double best = Double.MAX_VALUE;
      for (int epoch = 0; epoch < 16; epoch++) {
        long before = THREADS.getTotalThreadAllocatedBytes();
        loader.iterator().forEachRemaining(Batch::close);
        best = Math.min(best, (THREADS.getTotalThreadAllocatedBytes() - before) / (double) SIZE);
      }
      return best;
    }
  }

  @Test
  void usualTraining_sample_allocatesLessThanAHundredBytes() throws IOException {
    double bytes =
        bytesPerSample(
            List.of(
                DecodeImage.rgb(),
                RandomResizedCrop.of(64),
                RandomHorizontalFlip.of(0.5),
                Normalize.imagenet()));
    assertTrue(bytes < 100, bytes + " bytes are allocated per sample");
  }

  @Test
  void everyTransform_sample_allocatesLittle() throws IOException {
    double bytes =
        bytesPerSample(
            List.of(
                DecodeImage.rgb(),
                Resize.of(60),
                RandomCrop.of(56, 8),
                RandomVerticalFlip.of(0.5),
                ColorJitter.of(0.4, 0.4, 0.4, 0.1),
                RandomGrayscale.of(0.1),
                GaussianBlur.of(5),
                RandomRotation.of(30),
                RandomAffine.of(RandomAffine.Change.rotation(30)),
                TrivialAugment.of(),
                RandAugment.of(2, 9),
                CenterCrop.of(48),
                ConvertImage.of(DType.FLOAT32, Layout.NCHW),
                RandomErasing.of(0.5),
                OneHot.of(10)),
            MixUp.of(0.2),
            CutMix.of(1));
    // The JDK's StrictMath allocates for sines, of which rotations need some.
    assertTrue(bytes < 700, bytes + " bytes are allocated per sample");
  }
}
