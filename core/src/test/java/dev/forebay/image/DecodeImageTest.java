package dev.forebay.image;

import static dev.forebay.testing.Thrown.assertFails;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.sampler.PythonScript;
import dev.forebay.testing.LeakCheck;
import dev.forebay.transform.Transform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decoded pixels, compared with Pillow's. */
@ExtendWith(LeakCheck.class)
class DecodeImageTest {
  @TempDir private static Path folder;

  private static final List<Reference> REFERENCES = new ArrayList<>();

  /** A file and the sizes that Pillow gives it, as it lies and turned upright. */
  private record Reference(String name, Shape shape, Shape upright) {
    static Reference parse(String line) {
      String[] words = line.split(" ", -1);
      return new Reference(words[0], shape(words[1], words[2]), shape(words[3], words[4]));
    }

    private static Shape shape(String width, String height) {
      return Shape.of(Long.parseLong(height), Long.parseLong(width));
    }

    byte[] file() throws IOException {
      return Files.readAllBytes(folder.resolve(name));
    }

    byte[] pixels(String kind) throws IOException {
      return Files.readAllBytes(folder.resolve(name + "." + kind));
    }
  }

  @BeforeAll
  static void makeReferences() throws IOException, InterruptedException {
    for (String line : PythonScript.run("image_reference.py", folder.toString())) {
      REFERENCES.add(Reference.parse(line));
    }
    assertTrue(REFERENCES.size() > 300, "only " + REFERENCES.size() + " references");
  }

  private static byte[] file(String name) throws IOException {
    return Files.readAllBytes(folder.resolve(name));
  }

  private static Shape withChannels(Shape shape, int channels) {
    return Shape.of(shape.dim(0), shape.dim(1), channels);
  }

  private static String difference(byte[] expected, byte[] actual) {
    int at = Arrays.mismatch(expected, actual);
    return at < 0
        ? ""
        : "byte %d is %d instead of %d".formatted(at, actual[at] & 0xFF, expected[at] & 0xFF);
  }

  /** All references, so that a failure shows every file that differs. */
  private static void assertAllEqual(DecodeImage decode, String kind, boolean isUpright)
      throws IOException {
    List<String> differing = new ArrayList<>();
    try (Transform.Step step = decode.open(Images.FILE)) {
      for (Reference reference : REFERENCES) {
        Images.Array image;
        try {
          image = Images.decode(step, reference.file());
        } catch (BadDataException refused) {
          differing.add(reference.name + ": " + refused.getMessage());
          continue;
        }
        Shape shape = isUpright ? reference.upright : reference.shape;
        Shape expected = withChannels(shape, decode.mode().channels);
        if (!expected.equals(image.shape())) {
          differing.add(reference.name + ": " + image.shape() + " instead of " + expected);
        } else if (!Arrays.equals(reference.pixels(kind), image.bytes())) {
          differing.add(reference.name + ": " + difference(reference.pixels(kind), image.bytes()));
        }
      }
    }
    assertEquals(List.of(), differing);
  }

  @Test
  void rgb_everyKindOfFile_equalsPillow() throws IOException {
    assertAllEqual(DecodeImage.rgb(), "rgb", false);
  }

  @Test
  void gray_everyKindOfFile_equalsPillow() throws IOException {
    assertAllEqual(DecodeImage.gray(), "gray", false);
  }

  @Test
  void exifOrientation_everyKindOfFile_equalsPillowsTranspose() throws IOException {
    DecodeImage upright =
        new DecodeImage(DecodeImage.Mode.RGB, true, DecodeImage.PIXELS_MAX, false, "image");
    assertAllEqual(upright, "upright", true);
  }

  @Test
  void libjpegTurbo_thisMachine_isFound() {
    assertTrue(TurboJpeg.isAvailable(), "the tests need libjpeg-turbo, bundled or installed");
  }

  @Test
  void standardJpeg_withoutLibjpegTurbo_isWithinTwoLevels() throws IOException {
    try (Transform.Step step = new ImageDecoder(DecodeImage.rgb(), 0, false)) {
      int compared = 0;
      for (Reference reference : REFERENCES) {
        if (!reference.name.startsWith("jpeg-") || reference.name.contains("cmyk")) {
          continue;
        }
        byte[] actual = Images.decode(step, reference.file()).bytes();
        byte[] expected = reference.pixels("rgb");
        for (int i = 0; i < expected.length; i++) {
          int difference = Math.abs((actual[i] & 0xFF) - (expected[i] & 0xFF));
          assertTrue(difference <= 2, reference.name + ": off by " + difference + " at " + i);
        }
        compared++;
      }
      assertTrue(compared > 40, "only " + compared + " files");
    }
  }

  @Test
  void standardJpeg_fourInks_saysWhatToInstall() throws IOException {
    byte[] file = file("jpeg-8x8-cmyk.jpg");
    try (Transform.Step step = new ImageDecoder(DecodeImage.rgb(), 0, false)) {
      assertFails(BadDataException.class, "JPEG", () -> Images.decode(step, file));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg-64x48-s2-p0.jpg",
        "jpeg-64x48-s2-p1.jpg",
        "png-2-8-37x23-i0.png",
        "png-2-8-37x23-i1.png",
        "gif-64x48-i0.gif",
        "bmp-24-37x23.bmp",
        "pnm.ppm",
        "pnm-plain.pgm"
      })
  void truncatedFile_anyLength_isRefused(String name) throws IOException {
    byte[] file = file(name);
    try (Transform.Step step = DecodeImage.rgb().open(Images.FILE)) {
      for (int length = 0; length < file.length * 9 / 10; length += 1 + length / 50) {
        byte[] part = Arrays.copyOf(file, length);
        assertThrows(
            BadDataException.class, () -> Images.decode(step, part), name + " of " + length);
      }
    }
  }

  /**
   * The library remembers only the first thing that is wrong, here the stray bytes; and the
   * thumbnail has an end of its own.
   */
  @Test
  void truncatedJpeg_behindStrayBytesAndAThumbnail_isRefused() throws IOException {
    byte[] file = file("jpeg-64x48-s2-p0.jpg");
    byte[] thumbnail = file("jpeg-8x8-s2-p0.jpg");
    ByteBuffer built = ByteBuffer.allocate(file.length + thumbnail.length + 12);
    built.put(file, 0, 2).putShort((short) 0xFFE1).putShort((short) (thumbnail.length + 2));
    built.put(thumbnail).put(new byte[] {1, 2, 3}).put(file, 2, file.length - 2);
    byte[] whole = Arrays.copyOf(built.array(), built.position());
    try (Transform.Step step = DecodeImage.rgb().open(Images.FILE)) {
      assertEquals(Shape.of(48, 64, 3), Images.decode(step, whole).shape());
      byte[] part = Arrays.copyOf(whole, whole.length * 3 / 4);
      assertFails(BadDataException.class, "truncated", () -> Images.decode(step, part));
    }
  }

  @Test
  void truncatedJpeg_withoutLibjpegTurbo_isRefused() throws IOException {
    byte[] file = file("jpeg-64x48-s2-p0.jpg");
    try (Transform.Step step = new ImageDecoder(DecodeImage.rgb(), 0, false)) {
      for (int length = 2; length < file.length * 9 / 10; length += 1 + length / 5) {
        byte[] part = Arrays.copyOf(file, length);
        assertThrows(BadDataException.class, () -> Images.decode(step, part));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg-64x48-s2-p0.jpg",
        "png-2-8-37x23-i0.png",
        "gif-64x48-i0.gif",
        "bmp-24-37x23.bmp",
        "pnm.ppm"
      })
  void pixelsMax_largerImage_isRefusedWithBothSizes(String name) throws IOException {
    byte[] file = file(name);
    DecodeImage small = new DecodeImage(DecodeImage.Mode.RGB, false, 100, false, "image");
    assertFails(BadDataException.class, "pixelsMax=100", () -> Images.decode(small, file));
  }

  /** Cases in which Pillow 9 departs from the format: jumps, and literal runs of odd length. */
  @Test
  void runLengths_jumpsAndOddLiterals_followTheFormat() {
    byte[] eight = bitmap(8, 1, 4, 3, 2, 5, 0, 2, 1, 1, 1, 7, 0, 0, 0, 3, 6, 5, 4, 0, 0, 1);
    assertEquals("6 5 4 0 / 0 0 0 7 / 5 5 0 0", indices(eight));
    byte[] four = bitmap(4, 2, 5, 1, 0, 5, 0x12, 0x34, 0x50, 0, 0, 1);
    assertEquals("1 2 3 4 5", indices(four));
  }

  /** A run-length encoded bitmap whose palette has the colour (i, i, i) for index i. */
  private static byte[] bitmap(int bits, int compression, int width, int height, int... runs) {
    int colors = 1 << bits;
    ByteBuffer file =
        ByteBuffer.allocate(54 + 4 * colors + runs.length).order(ByteOrder.LITTLE_ENDIAN);
    file.put((byte) 'B').put((byte) 'M').putInt(file.capacity()).putInt(0).putInt(54 + 4 * colors);
    file.putInt(40).putInt(width).putInt(height).putShort((short) 1).putShort((short) bits);
    file.putInt(compression).putInt(runs.length).putInt(0).putInt(0).putInt(0).putInt(0);
    for (int color = 0; color < colors; color++) {
      file.putInt(color * 0x010101);
    }
    for (int run : runs) {
      file.put((byte) run);
    }
    return file.array();
  }

  private static String indices(byte[] file) {
    Images.Array image = Images.decode(DecodeImage.gray(), file);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < image.bytes().length; i++) {
      text.append(i == 0 ? "" : i % image.shape().dim(1) == 0 ? " / " : " ")
          .append(image.bytes()[i]);
    }
    return text.toString();
  }

  @Test
  void pngBomb_largeClaimInASmallFile_isRefusedBeforeMemoryIsTaken() throws IOException {
    byte[] file = file("png-2-8-37x23-i0.png");
    byte[] claim = file.clone();
    claim[18] = 0x20; // 8,229 columns
    claim[22] = 0x20;
    CRC32 crc = new CRC32();
    crc.update(claim, 12, 17);
    ByteBuffer.wrap(claim).putInt(29, (int) crc.getValue());
    assertFails(BadDataException.class, "too short", () -> Images.decode(DecodeImage.rgb(), claim));
  }

  @ParameterizedTest
  @EnumSource(DecodeImage.Mode.class)
  void foreignContent_anyMode_isRefusedWithWords(DecodeImage.Mode mode) {
    DecodeImage decode = new DecodeImage(mode, true, 1000, false, "image");
    assertFails(BadDataException.class, "empty", () -> Images.decode(decode, new byte[0]));
    byte[] text = "this is no image at all".getBytes(StandardCharsets.UTF_8);
    assertFails(BadDataException.class, "no image", () -> Images.decode(decode, text));
    byte[] webp = "RIFF....WEBPVP8 ".getBytes(StandardCharsets.UTF_8);
    assertFails(BadDataException.class, "WEBP", () -> Images.decode(decode, webp));
    byte[] tiff = "II*\0............".getBytes(StandardCharsets.UTF_8);
    assertFails(BadDataException.class, "TIFF", () -> Images.decode(decode, tiff));
  }

  @Test
  void settings_wrong_areRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> new DecodeImage(DecodeImage.Mode.RGB, false, 0, false, "image"));
    Schema numbers = Schema.of(Field.scalar("image", DType.INT64));
    assertFails(
        IllegalArgumentException.class,
        "needs bytes in field 'image'",
        () -> DecodeImage.rgb().output(numbers));
    assertFails(
        IllegalArgumentException.class,
        "there are [picture]",
        () -> DecodeImage.rgb().output(Schema.of(Field.bytes("picture"))));
  }
}
