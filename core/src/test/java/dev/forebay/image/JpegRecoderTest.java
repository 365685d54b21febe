package dev.forebay.image;

import static dev.forebay.testing.Thrown.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.sampler.PythonScript;
import dev.forebay.testing.LeakCheck;
import dev.forebay.testing.Seeds;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Sample;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** JPEG files with restart markers: the same pixels, whole and in part. */
@ExtendWith(LeakCheck.class)
class JpegRecoderTest {
  @TempDir private static Path folder;
  private static final List<byte[]> FILES = new ArrayList<>();

  private static List<byte[]> jpegs() throws IOException, InterruptedException {
    if (FILES.isEmpty()) {
      for (String name : PythonScript.run("jpeg_kinds.py", folder.toString())) {
        byte[] file = Files.readAllBytes(folder.resolve(name));
        if (JpegRecoder.isJpeg(file)) {
          FILES.add(file);
        }
      }
    }
    return FILES;
  }

  @Test
  void recode_everyKind_keepsPixels() throws Exception {
    for (int interval : new int[] {1, 2, 5}) {
      try (JpegRecoder recoder = new JpegRecoder(interval)) {
        for (byte[] file : jpegs()) {
          byte[] recoded = recoder.recode(file);
          assertArrayEquals(
              Images.decode(DecodeImage.rgb(), file).bytes(),
              Images.decode(DecodeImage.rgb(), recoded).bytes());
        }
      }
    }
  }

  @Test
  void recode_damagedFile_isRefused() throws Exception {
    try (JpegRecoder recoder = new JpegRecoder(1)) {
      byte[] file = jpegs().getFirst();
      assertFails(
          BadDataException.class,
          "cannot be coded anew",
          () -> recoder.recode(Arrays.copyOf(file, file.length / 2)));
      assertFails(
          BadDataException.class, "cannot be coded anew", () -> recoder.recode(new byte[9]));
      assertTrue(recoder.recode(file).length > 0, "a failure does not spoil the next file");
    }
    assertFails(IllegalArgumentException.class, "interval=0", () -> new JpegRecoder(0));
    assertFalse(JpegRecoder.isJpeg(new byte[] {'G', 'I', 'F', '8', '9', 'a'}));
  }

  private static JpegDecoder.Part drawPart(Randomness random, int height, int width) {
    int rows = 1 + random.nextInt(random.nextBoolean(0.6) ? height : Math.min(height, 9));
    int columns = 1 + random.nextInt(random.nextBoolean(0.6) ? width : Math.min(width, 9));
    int top = random.nextInt(height - rows + 1);
    return new JpegDecoder.Part(top, random.nextInt(width - columns + 1), rows, columns);
  }

  private static byte[] copy(Raster raster) {
    byte[] bytes = new byte[raster.height() * raster.width() * 3];
    for (int y = 0; y < raster.height(); y++) {
      MemorySegment.copy(
          raster.segment(),
          ValueLayout.JAVA_BYTE,
          raster.offset() + y * raster.rowBytes(),
          bytes,
          y * raster.width() * 3,
          raster.width() * 3);
    }
    return bytes;
  }

  private static byte[] cropped(Images.Array whole, JpegDecoder.Part part) {
    int width = (int) whole.shape().dim(1);
    byte[] bytes = new byte[part.height() * part.width() * 3];
    for (int y = 0; y < part.height(); y++) {
      int from = ((part.top() + y) * width + part.left()) * 3;
      System.arraycopy(whole.bytes(), from, bytes, y * part.width() * 3, part.width() * 3);
    }
    return bytes;
  }

  /** Any crop of any file with markers has the pixels of the full decode. */
  @Test
  void decodePart_filesWithMarkers_equalsTheWholePicture() throws Exception {
    Randomness random = new Randomness();
    try (ImageDecoder decoder = new ImageDecoder(DecodeImage.rgb(), 0);
        Sample sample = new Sample(Images.FILE, MemoryBudget.unlimited("test"))) {
      for (int interval : new int[] {1, 3, 7}) {
        try (JpegRecoder recoder = new JpegRecoder(interval)) {
          int number = 0;
          for (byte[] original : jpegs()) {
            byte[] file = recoder.recode(original);
            Images.Array whole = Images.decode(DecodeImage.rgb(), original);
            for (int id = 0; id < 40; id++) {
              random.startSample(Seeds.master(), number, id);
              JpegDecoder.Part part =
                  drawPart(random, (int) whole.shape().dim(0), (int) whole.shape().dim(1));
              sample.value(0).setBytes(file);
              decoder.open(sample.value(0));
              String what = "file " + number + ", every " + interval + ", " + part;
              assertArrayEquals(cropped(whole, part), copy(decoder.decode(part)), what);
            }
            number++;
          }
        }
      }
    }
  }

  /** Without this, the test above would pass if nothing were ever cut. */
  @Test
  void cut_markerBehindEveryMcu_leavesMostOut() throws Exception {
    int cuts = 0;
    try (JpegRecoder recoder = new JpegRecoder(1);
        Arena arena = Arena.ofConfined()) {
      for (byte[] original : jpegs()) {
        byte[] file = recoder.recode(original);
        MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_BYTE, file);
        JpegHeader header = new JpegHeader();
        header.read(memory, 0, file.length);
        try (RestartCut cut = new RestartCut(header)) {
          boolean isLarge = header.height > 60 && header.width > 60;
          if (isLarge && cut.isPossible()) {
            assertTrue(cut.cut(memory, 0, file.length, new JpegDecoder.Part(20, 20, 9, 9)));
            assertTrue(cut.bytes < file.length, cut.bytes + " of " + file.length);
            byte[] small = cut.file().asSlice(0, cut.bytes).toArray(ValueLayout.JAVA_BYTE);
            assertEquals(cut.width, Images.decode(DecodeImage.rgb(), small).shape().dim(1));
            cuts++;
          }
        }
      }
    }
    assertTrue(cuts > 20, cuts + " files were cut");
  }

  /** Markers out of order are found, and the file is decoded as any other. */
  @Test
  void decodePart_markersOutOfOrder_isAsWithoutCutting() throws Exception {
    Randomness random = new Randomness();
    try (JpegRecoder recoder = new JpegRecoder(1);
        ImageDecoder decoder = new ImageDecoder(DecodeImage.rgb(), 0);
        Sample sample = new Sample(Images.FILE, MemoryBudget.unlimited("test"))) {
      int number = 0;
      for (byte[] original : jpegs()) {
        byte[] file = recoder.recode(original);
        for (int at = file.length / 2; at + 1 < file.length; at++) {
          if ((file[at] & 0xFF) == 0xFF && (file[at + 1] & 0xF8) == 0xD0) {
            file[at + 1] ^= 3;
            break;
          }
        }
        Images.Array whole = Images.decode(DecodeImage.rgb(), file);
        for (int id = 0; id < 6; id++) {
          random.startSample(Seeds.master(), number, id);
          int height = (int) whole.shape().dim(0);
          // A part that needs the damaged place.
          JpegDecoder.Part part =
              new JpegDecoder.Part(0, 0, height, Math.max(1, (int) whole.shape().dim(1) / 2));
          sample.value(0).setBytes(file);
          decoder.open(sample.value(0));
          assertArrayEquals(cropped(whole, part), copy(decoder.decode(part)), "file " + number);
        }
        number++;
      }
    }
  }
}
