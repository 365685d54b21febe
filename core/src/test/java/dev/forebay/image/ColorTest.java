package dev.forebay.image;

import static dev.forebay.testing.Thrown.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.memory.DType;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.sampler.PythonScript;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Transform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Colours, blur, affine changes and automatic augmentation, compared with torchvision's. */
class ColorTest {
  @TempDir private static Path folder;

  private static Pixels pixels(Images.Array image) {
    Pixels pixels = new Pixels();
    Shape shape = image.shape();
    pixels.start(shape.dim(1), shape.dim(0), (int) shape.dim(2), Long.MAX_VALUE);
    System.arraycopy(image.bytes(), 0, pixels.data, 0, image.bytes().length);
    return pixels;
  }

  private static double number(String word) {
    return Double.parseDouble(word);
  }

  /** What we make of an image by the operation that the words tell. */
  private static byte[] result(Images.Array image, List<String> words) {
    Pixels pixels = pixels(image);
    switch (words.get(0)) {
      case "brightness" -> ColorOps.brightness(pixels, number(words.get(1)));
      case "contrast" -> ColorOps.contrast(pixels, number(words.get(1)));
      case "saturation" -> ColorOps.saturation(pixels, number(words.get(1)));
      case "hue" -> ColorOps.hue(pixels, number(words.get(1)));
      case "grayscale" -> ColorOps.grayscale(pixels);
      case "blur" -> {
        int kernel = Integer.parseInt(words.get(1));
        Range sigma = Range.of(number(words.get(2)));
        return Images.apply(new GaussianBlur(kernel, sigma, "image"), image).bytes();
      }
      case "rotate" -> {
        AffineMap map = new AffineMap();
        map.setRotation(number(words.get(2)), pixels.height, pixels.width);
        map.apply(pixels, Interpolation.valueOf(words.get(1)), 9);
      }
      case "affine" -> affine(pixels, words);
      case "op" -> {
        String name = words.get(1).replaceAll("(?<=[a-z])(?=[XY])", "_").toUpperCase(Locale.ROOT);
        AugmentOp.Tools tools = new AugmentOp.Tools(Interpolation.NEAREST, 0);
        AugmentOp.valueOf(name).apply(pixels, number(words.get(2)), tools);
      }
      default -> throw new IllegalArgumentException(words.toString());
    }
    return Arrays.copyOf(pixels.data, pixels.count());
  }

  private static void affine(Pixels pixels, List<String> words) {
    AffineMap map = new AffineMap();
    map.degrees = number(words.get(2));
    map.translateX = number(words.get(3));
    map.translateY = number(words.get(4));
    map.scale = number(words.get(5));
    map.shearXDegrees = number(words.get(6));
    map.shearYDegrees = number(words.get(7));
    map.compute(pixels.width * 0.5, pixels.height * 0.5);
    map.apply(pixels, Interpolation.valueOf(words.get(1)), 9);
  }

  @Test
  void everyOperation_sameParameters_equalsTorchvision() throws IOException, InterruptedException {
    List<String> differing = new ArrayList<>();
    Map<String, Integer> compared = new TreeMap<>();
    for (String line : PythonScript.run("color_reference.py", folder.toString())) {
      List<String> words = List.of(line.split(" ", -1));
      byte[] bytes = Files.readAllBytes(folder.resolve(words.get(0)));
      Images.Array image =
          Images.image(
              Integer.parseInt(words.get(1)),
              Integer.parseInt(words.get(2)),
              Integer.parseInt(words.get(3)),
              bytes);
      List<String> operation = words.subList(4, words.size() - 1);
      byte[] expected = Files.readAllBytes(folder.resolve(words.getLast()));
      byte[] actual = result(image, operation);
      int levels = operation.get(0).equals("blur") ? 1 : 0;
      int at = mismatch(expected, actual, levels);
      compared.merge(operation.get(0), 1, Integer::sum);
      if (at >= 0) {
        differing.add(
            "%s: byte %d is %d instead of %d"
                .formatted(line, at, actual[at] & 0xFF, expected[at] & 0xFF));
      }
    }
    assertEquals(List.of(), differing);
    assertEquals(9, compared.size(), compared::toString);
  }

  private static int mismatch(byte[] expected, byte[] actual, int levels) {
    assertEquals(expected.length, actual.length);
    for (int i = 0; i < expected.length; i++) {
      if (Math.abs((expected[i] & 0xFF) - (actual[i] & 0xFF)) > levels) {
        return i;
      }
    }
    return -1;
  }

  private static Images.Array gradient(int height, int width) {
    byte[] bytes = new byte[height * width * 3];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 31 + i / 7);
    }
    return Images.image(height, width, 3, bytes);
  }

  @Test
  void randomTransforms_sameSample_areRepeatableAndChangeWithTheEpoch() {
    Images.Array image = gradient(24, 20);
    for (Transform transform :
        List.of(
            ColorJitter.of(0.4, 0.4, 0.4, 0.1),
            GaussianBlur.of(5),
            RandomRotation.of(90),
            RandomAffine.of(RandomAffine.Change.rotation(90)),
            RandAugment.of(2, 15),
            TrivialAugment.of())) {
      int changed = 0;
      for (int id = 0; id < 20; id++) {
        byte[] once = Images.apply(transform, image, 1, 0, id).bytes();
        assertArrayEquals(once, Images.apply(transform, image, 1, 0, id).bytes());
        changed += Arrays.equals(once, Images.apply(transform, image, 1, 1, id).bytes()) ? 0 : 1;
      }
      assertTrue(changed > 10, transform.identity() + " changed " + changed + " of 20");
      assertTrue(transform.isRandom());
    }
  }

  @Test
  void colorJitter_neutralRanges_leaveTheImageAlone() {
    Images.Array image = gradient(9, 9);
    byte[] result = Images.apply(ColorJitter.of(0, 0, 0, 0), image).bytes();
    assertArrayEquals(image.bytes(), result);
  }

  /** Each property, drawn alone, covers its range evenly. */
  @Test
  void colorJitter_manyDraws_areUniform() {
    Images.Array gray = Images.image(1, 1, 3, new byte[] {100, 100, 100});
    int[] seen = new int[4];
    for (int id = 0; id < 2000; id++) {
      int value = Images.apply(ColorJitter.of(0.4, 0, 0, 0), gray, 2, 0, id).bytes()[0] & 0xFF;
      assertTrue(value >= 60 && value <= 140, "brightness " + value);
      seen[Math.min(3, (value - 60) / 20)]++;
    }
    for (int count : seen) {
      // Five standard deviations around 500.
      assertTrue(Math.abs(count - 500) < 97, Arrays.toString(seen));
    }
  }

  @Test
  void augmentations_manyDraws_useEveryOperation() {
    Images.Array image = gradient(16, 16);
    int unchanged = 0;
    for (int id = 0; id < 700; id++) {
      byte[] result = Images.apply(TrivialAugment.of(), image, 4, 0, id).bytes();
      unchanged += Arrays.equals(result, image.bytes()) ? 1 : 0;
    }
    // One in fourteen is the identity, and so are the weakest strengths of most others.
    assertTrue(unchanged > 40 && unchanged < 140, "unchanged: " + unchanged);
  }

  @Test
  void randomGrayscale_manySamples_happensWithItsProbability() {
    Images.Array image = gradient(2, 2);
    int gray = 0;
    for (int id = 0; id < 2000; id++) {
      byte[] result = Images.apply(RandomGrayscale.of(0.2), image, 8, 0, id).bytes();
      gray += Arrays.equals(result, image.bytes()) ? 0 : 1;
    }
    assertTrue(gray > 310 && gray < 490, "grey: " + gray);
  }

  @Test
  void grayscale_channels_areAsAsked() {
    Images.Array image = gradient(3, 4);
    Images.Array one = Images.apply(Grayscale.of(1), image);
    assertEquals(Shape.of(3, 4, 1), one.shape());
    Images.Array three = Images.apply(Grayscale.of(3), image);
    for (int i = 0; i < 12; i++) {
      assertEquals(one.bytes()[i], three.bytes()[3 * i + 2]);
    }
    assertArrayEquals(three.bytes(), Images.apply(Grayscale.of(3), one).bytes());
  }

  @Test
  void randomErasing_numbersOfEitherLayout_eraseOneRectangle() {
    Images.Array image = gradient(20, 30);
    for (Layout layout : Layout.values()) {
      Images.Array numbers = Images.apply(ConvertImage.of(DType.FLOAT32, layout), image);
      Schema schema = ConvertImage.of(DType.FLOAT32, layout).output(Images.schema(image));
      RandomErasing erasing =
          new RandomErasing(
              1,
              new Range(0.1, 0.3),
              new Range(0.5, 2),
              new RandomErasing.Fill.Constant(List.of(7f)),
              "image");
      assertEquals(schema, erasing.output(schema));
      Images.Array erased = Images.apply(erasing, numbers, schema, 3);
      int[] bounds = erasedBounds(erased, layout);
      int area = (bounds[1] - bounds[0]) * (bounds[3] - bounds[2]);
      assertEquals(area * 3, bounds[4], "the erased numbers form a rectangle over all channels");
      assertTrue(area >= 40 && area <= 210, "area " + area);
    }
  }

  /** First and last row and column of what is 7, and how much that is. */
  private static int[] erasedBounds(Images.Array erased, Layout layout) {
    FloatBuffer numbers =
        ByteBuffer.wrap(erased.bytes()).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    int[] bounds = {20, 0, 30, 0, 0};
    for (int i = 0; i < numbers.limit(); i++) {
      if (numbers.get(i) == 7) {
        int pixel = layout == Layout.NCHW ? i % 600 : i / 3;
        bounds[0] = Math.min(bounds[0], pixel / 30);
        bounds[1] = Math.max(bounds[1], pixel / 30 + 1);
        bounds[2] = Math.min(bounds[2], pixel % 30);
        bounds[3] = Math.max(bounds[3], pixel % 30 + 1);
        bounds[4]++;
      }
    }
    return bounds;
  }

  @Test
  void randomErasing_noise_isNormallyDistributed() {
    Images.Array image = gradient(60, 60);
    Images.Array numbers = Images.apply(ConvertImage.of(DType.FLOAT32, Layout.NCHW), image);
    Schema schema = ConvertImage.of(DType.FLOAT32, Layout.NCHW).output(Images.schema(image));
    RandomErasing noise =
        new RandomErasing(
            1, new Range(0.3, 0.3), new Range(1, 1), new RandomErasing.Fill.Noise(), "image");
    byte[] bytes = Images.apply(noise, numbers, schema, 1).bytes();
    FloatBuffer after = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    int outside = 0;
    for (int i = 0; i < after.limit(); i++) {
      outside += after.get(i) < 0 || after.get(i) > 1 ? 1 : 0;
    }
    // 3 x 33 x 33 numbers were erased, of which 65.9 % lie outside 0 to 1.
    assertTrue(outside > 2000 && outside < 2300, "outside: " + outside);
    assertFails(IllegalArgumentException.class, "uint8", () -> noise.output(Images.schema(image)));
  }

  @Test
  void randomErasing_manyDraws_haveTorchvisionsDistribution()
      throws IOException, InterruptedException {
    int count = 3000;
    List<int[]> theirs = new ArrayList<>();
    for (String line :
        PythonScript.run("random_erasing_reference.py", String.valueOf(count), "120", "160")) {
      theirs.add(Arrays.stream(line.split(" ", -1)).mapToInt(Integer::parseInt).toArray());
    }
    List<int[]> ours = new ArrayList<>();
    RandomErasing.Eraser eraser = new RandomErasing.Eraser(RandomErasing.of(1), 0, Layout.NCHW);
    Randomness random = new Randomness();
    for (int id = 0; id < count; id++) {
      random.startSample(6, 0, id);
      assertTrue(eraser.draw(random, 120, 160));
      ours.add(new int[] {eraser.top, eraser.left, eraser.partHeight, eraser.partWidth});
    }
    double limit = Distributions.limit(count);
    assertTrue(Distributions.distance(ours, theirs, part -> part[2] * (double) part[3]) < limit);
    assertTrue(Distributions.distance(ours, theirs, part -> part[2] / (double) part[3]) < limit);
    assertTrue(Distributions.distance(ours, theirs, part -> part[0] + part[2] / 2.0) < limit);
    assertTrue(Distributions.distance(ours, theirs, part -> part[1] + part[3] / 2.0) < limit);
  }

  /** Where one bright pixel comes to lie tells what was drawn. */
  @Test
  void randomAffine_manyMoves_areUniform() {
    byte[] bytes = new byte[101];
    bytes[50] = (byte) 255;
    Images.Array image = Images.image(1, 101, 1, bytes);
    Range none = Range.of(0);
    RandomAffine move =
        RandomAffine.of(new RandomAffine.Change(none, 0.2, 0, Range.of(1), none, none));
    int[] seen = new int[4];
    for (int id = 0; id < 2000; id++) {
      byte[] moved = Images.apply(move, image, 3, 0, id).bytes();
      int place = 0;
      while (moved[place] == 0) {
        place++;
      }
      assertTrue(place >= 30 && place <= 70, "moved to " + place);
      seen[Math.min(3, (place - 30) / 10)]++;
    }
    for (int count : seen) {
      assertTrue(Math.abs(count - 500) < 97, Arrays.toString(seen));
    }
  }

  @Test
  void randomErasing_tooLargeParts_leaveTheImageAlone() {
    RandomErasing.Eraser eraser =
        new RandomErasing.Eraser(
            new RandomErasing(
                1, Range.of(1), Range.of(1), new RandomErasing.Fill.Constant(List.of(0f)), "image"),
            0,
            Layout.NCHW);
    Randomness random = new Randomness();
    random.startSample(0, 0, 0);
    assertFalse(eraser.draw(random, 5, 5));
  }

  @Test
  void settings_impossible_areRefusedWithNameAndValue() {
    assertFails(IllegalArgumentException.class, "hue=", () -> ColorJitter.of(0, 0, 0, 0.6));
    assertFails(IllegalArgumentException.class, "kernelSize=4", () -> GaussianBlur.of(4));
    assertFails(IllegalArgumentException.class, "magnitude=31", () -> RandAugment.of(2, 31));
    assertFails(IllegalArgumentException.class, "channels=2", () -> Grayscale.of(2));
    assertFails(
        IllegalArgumentException.class,
        "behind decode_image",
        () -> TrivialAugment.of().output(Images.FILE));
  }
}
