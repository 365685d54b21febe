package dev.forebay.image;

import static dev.forebay.testing.Thrown.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.DType;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.sampler.PythonScript;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Transform;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes, parts, mirror images and numbers, compared with Pillow's and torchvision's. */
class GeometryTest {
  @TempDir private static Path folder;

  /** The words of one line of the reference script, read one after the other. */
  private static final class Words {
    private final String[] words;
    private int next;

    Words(String line) {
      words = line.split(" ", -1);
    }

    String text() {
      return words[next++];
    }

    int number() {
      return Integer.parseInt(text());
    }

    Interpolation filter() {
      return Interpolation.valueOf(text());
    }
  }

  private static Images.Array read(String name, int height, int width, int channels)
      throws IOException {
    return Images.image(height, width, channels, Files.readAllBytes(folder.resolve(name)));
  }

  /** What we make of the image for the operation that the words tell. */
  private static Images.Array result(Images.Array image, Words words) {
    String operation = words.text();
    return switch (operation) {
      case "resize" -> {
        Interpolation filter = words.filter();
        Resize.Size size = new Resize.Exactly(words.number(), words.number());
        yield Images.apply(new Resize(size, filter, "image"), image);
      }
      case "shorter" -> {
        Interpolation filter = words.filter();
        Resize.Size size = new Resize.ShorterSide(words.number(), words.number());
        yield Images.apply(new Resize(size, filter, "image"), image);
      }
      case "crop" -> cropped(image, words);
      case "center" -> Images.apply(new CenterCrop(words.number(), words.number(), "image"), image);
      case "hflip" -> Images.apply(RandomHorizontalFlip.of(1), image);
      case "vflip" -> Images.apply(RandomVerticalFlip.of(1), image);
      case "pad" -> padded(image, Padding.valueOf(words.text()), words.number());
      case "normalize" -> Images.apply(normalize(image, words), image);
      case "convert" ->
          Images.apply(
              new ConvertImage(DType.valueOf(words.text()), Layout.valueOf(words.text()), "image"),
              image);
      default -> throw new IllegalArgumentException(operation);
    };
  }

  private static Normalize normalize(Images.Array image, Words words) {
    int channels = (int) image.shape().dim(2);
    return new Normalize(
        List.of(0.485f, 0.456f, 0.406f).subList(0, channels),
        List.of(0.229f, 0.224f, 0.225f).subList(0, channels),
        DType.valueOf(words.text()),
        Layout.valueOf(words.text()),
        "image");
  }

  private static Images.Array cropped(Images.Array image, Words words) {
    Interpolation filter = words.filter();
    int top = words.number();
    int left = words.number();
    int height = words.number();
    int width = words.number();
    int outHeight = words.number();
    int outWidth = words.number();
    int channels = (int) image.shape().dim(2);
    long rowBytes = image.shape().dim(1) * channels;
    byte[] out = new byte[outHeight * outWidth * channels];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(image.bytes().length);
      from.copyFrom(MemorySegment.ofArray(image.bytes()));
      MemorySegment into = arena.allocate(out.length);
      Coefficients across = new Coefficients();
      Coefficients down = new Coefficients();
      across.prepare(width, outWidth, filter, 0, outWidth);
      down.prepare(height, outHeight, filter, 0, outHeight);
      long first = (top + down.start) * rowBytes + (long) (left + across.start) * channels;
      Raster source =
          new Raster().place(from, first, rowBytes, channels).size(down.span, across.span);
      try (HeapKernel kernel = new HeapKernel(PixelFormat.RAW)) {
        kernel.run(source, across, down, false, into, 0);
      }
      MemorySegment.copy(into, ValueLayout.JAVA_BYTE, 0, out, 0, out.length);
    }
    return Images.image(outHeight, outWidth, channels, out);
  }

  /** A crop of the whole padded image has one place only. */
  private static Images.Array padded(Images.Array image, Padding padding, int pixels) {
    int height = (int) image.shape().dim(0) + 2 * pixels;
    int width = (int) image.shape().dim(1) + 2 * pixels;
    RandomCrop.Border border = new RandomCrop.Border(pixels, false, padding, 77);
    return Images.apply(new RandomCrop(height, width, border, "image"), image);
  }

  @Test
  void everyOperation_sameParameters_equalsPillowAndTorchvision()
      throws IOException, InterruptedException {
    List<String> differing = new ArrayList<>();
    TreeSet<String> operations = new TreeSet<>();
    for (String line : PythonScript.run("geometry_reference.py", folder.toString())) {
      Words words = new Words(line);
      Images.Array image = read(words.text(), words.number(), words.number(), words.number());
      operations.add(words.words[words.next]);
      Images.Array result = result(image, words);
      byte[] expected = Files.readAllBytes(folder.resolve(words.text()));
      int mismatch = Arrays.mismatch(expected, result.bytes());
      boolean isPlanar = line.contains("NCHW");
      Shape shape = result.shape();
      assertEquals(words.number(), shape.dim(isPlanar ? 1 : 0), line);
      assertEquals(words.number(), shape.dim(isPlanar ? 2 : 1), line);
      if (mismatch >= 0) {
        differing.add(line + ": differs at byte " + mismatch);
      }
    }
    assertEquals(List.of(), differing);
    assertEquals(9, operations.size(), operations::toString);
  }

  @Test
  void randomResizedCrop_manyDraws_haveTorchvisionsDistribution()
      throws IOException, InterruptedException {
    int count = 4000;
    List<int[]> theirs = new ArrayList<>();
    for (String line :
        PythonScript.run("random_crop_reference.py", String.valueOf(count), "240", "320")) {
      Words words = new Words(line);
      theirs.add(new int[] {words.number(), words.number(), words.number(), words.number()});
    }
    List<int[]> ours = new ArrayList<>();
    Frame frame = new Frame();
    Randomness random = new Randomness();
    for (int id = 0; id < count; id++) {
      random.startSample(3, 0, id);
      frame.start(240, 320);
      assertTrue(RandomResizedCrop.of(224).frame(frame, random));
      ours.add(new int[] {frame.top, frame.left, frame.height, frame.width});
    }
    double limit = Distributions.limit(count);
    assertTrue(
        Distributions.distance(ours, theirs, part -> part[2] * (double) part[3]) < limit, "area");
    assertTrue(
        Distributions.distance(ours, theirs, part -> part[3] / (double) part[2]) < limit, "ratio");
    assertTrue(
        Distributions.distance(ours, theirs, part -> part[0] + part[2] / 2.0) < limit, "row");
    assertTrue(
        Distributions.distance(ours, theirs, part -> part[1] + part[3] / 2.0) < limit, "column");
  }

  /** What does not fit ten times falls back to the middle, and never leaves the image. */
  @Test
  void randomResizedCrop_extremeShapes_stayWithinTheImage() {
    Randomness random = new Randomness();
    Frame frame = new Frame();
    for (int[] size : new int[][] {{1, 1}, {1, 1000}, {1000, 1}, {2, 3}, {3, 500}}) {
      for (int id = 0; id < 200; id++) {
        random.startSample(0, 0, id);
        frame.start(size[0], size[1]);
        assertTrue(RandomResizedCrop.of(8).frame(frame, random));
        assertTrue(frame.height >= 1 && frame.width >= 1);
        assertTrue(frame.top >= 0 && frame.top + frame.height <= size[0]);
        assertTrue(frame.left >= 0 && frame.left + frame.width <= size[1]);
      }
    }
  }

  private static Images.Array gradient(int height, int width) {
    byte[] bytes = new byte[height * width * 3];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * 7);
    }
    return Images.image(height, width, 3, bytes);
  }

  @Test
  void flips_manySamples_happenWithTheirProbability() {
    Images.Array image = gradient(2, 3);
    for (Transform flip : List.of(RandomHorizontalFlip.of(0.3), RandomVerticalFlip.of(0.3))) {
      int flipped = 0;
      for (int id = 0; id < 2000; id++) {
        byte[] result = Images.apply(flip, image, 5, 0, id).bytes();
        flipped += Arrays.equals(result, image.bytes()) ? 0 : 1;
      }
      // Five standard deviations around 600.
      assertTrue(flipped > 498 && flipped < 702, flip + " flipped " + flipped);
    }
  }

  @Test
  void randomTransforms_sameSample_areRepeatableAndChangeWithTheEpoch() {
    Images.Array image = gradient(40, 50);
    RandomCrop crop = RandomCrop.of(32, 4);
    for (Transform transform : List.of(RandomResizedCrop.of(16), crop)) {
      byte[] once = Images.apply(transform, image, 1, 2, 3).bytes();
      assertTrue(Arrays.equals(once, Images.apply(transform, image, 1, 2, 3).bytes()));
      byte[] later = Images.apply(transform, image, 1, 3, 3).bytes();
      assertNotEquals(Arrays.hashCode(once), Arrays.hashCode(later), transform.identity());
      assertTrue(transform.isRandom());
    }
  }

  @Test
  void randomCrop_allPlaces_comeUpEquallyOften() {
    byte[] bytes = new byte[16 * 3];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i / 3);
    }
    Images.Array image = Images.image(4, 4, 3, bytes);
    int[] seen = new int[16];
    for (int id = 0; id < 1600; id++) {
      seen[Images.apply(RandomCrop.of(2, 0), image, 9, 0, id).bytes()[0]]++;
    }
    double chiSquare = 0;
    for (int place : new int[] {0, 1, 2, 4, 5, 6, 8, 9, 10}) {
      chiSquare += Math.pow(seen[place] - 1600 / 9.0, 2) / (1600 / 9.0);
    }
    assertTrue(chiSquare < 31.8, "chi-square of 9 places: " + chiSquare);
    assertEquals(0, seen[3] + seen[7] + seen[15]);
  }

  @Test
  void randomCrop_smallerImage_isAnErrorOrPadded() {
    Images.Array image = gradient(3, 9);
    assertFails(
        BadDataException.class, "pad_if_needed", () -> Images.apply(RandomCrop.of(5, 0), image));
    RandomCrop grown =
        new RandomCrop(5, 5, new RandomCrop.Border(0, true, Padding.EDGE, 0), "image");
    assertEquals(Shape.of(5, 5, 3), Images.apply(grown, image).shape());
    RandomCrop reflected =
        new RandomCrop(5, 5, new RandomCrop.Border(4, false, Padding.REFLECT, 0), "image");
    assertFails(BadDataException.class, "reflect", () -> Images.apply(reflected, image));
  }

  @Test
  void schemas_afterEachTransform_haveTheShapesThatAreKnown() {
    Schema pixels = Images.PIXELS;
    assertEquals(Shape.of(8, 8, 3), RandomResizedCrop.of(8).output(pixels).field(0).shape());
    assertEquals(
        Shape.of(Shape.UNKNOWN, Shape.UNKNOWN, 3), Resize.of(8).output(pixels).field(0).shape());
    Schema cropped = CenterCrop.of(8, 9).output(pixels);
    assertEquals(Shape.of(3, 8, 9), Normalize.imagenet().output(cropped).field(0).shape());
    assertEquals(DType.FLOAT32, Normalize.imagenet().output(cropped).field(0).dtype());
    Schema converted = ConvertImage.of(DType.BFLOAT16, Layout.NHWC).output(cropped);
    assertEquals(Shape.of(8, 9, 3), converted.field(0).shape());
    assertFails(
        IllegalArgumentException.class,
        "behind decode_image",
        () -> Resize.of(4).output(Images.FILE));
    assertFails(
        IllegalArgumentException.class,
        "before normalize",
        () -> Resize.of(4).output(Normalize.imagenet().output(cropped)));
  }

  @Test
  void settings_impossible_areRefusedWithNameAndValue() {
    assertFails(IllegalArgumentException.class, "height=0", () -> CenterCrop.of(0, 3));
    assertFails(IllegalArgumentException.class, "p=1.5", () -> RandomHorizontalFlip.of(1.5));
    assertFails(IllegalArgumentException.class, "longerMax=5", () -> new Resize.ShorterSide(5, 5));
    assertFails(
        IllegalArgumentException.class,
        "std=[0.0]",
        () -> Normalize.of(new float[] {0}, new float[] {0}));
    assertFails(
        IllegalArgumentException.class,
        "dtype=INT64",
        () -> ConvertImage.of(DType.INT64, Layout.NCHW));
    assertThrows(IllegalArgumentException.class, () -> new Range(0.5, 0.4));
  }
}
