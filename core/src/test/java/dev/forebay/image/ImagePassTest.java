package dev.forebay.image;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.memory.DType;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Schema;
import dev.forebay.sampler.PythonScript;
import dev.forebay.testing.LeakCheck;
import dev.forebay.testing.Seeds;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Several transforms in one pass, and each kernel: the same bits as one by one in plain Java. */
@ExtendWith(LeakCheck.class)
class ImagePassTest {
  private static final List<Interpolation> FILTERS = List.of(Interpolation.values());

  @TempDir private static Path folder;

  @Test
  void nativeKernel_hereWhereItWasBuilt_isUsed() {
    assertTrue(NativePixels.isAvailable(), "the tests need a C compiler, or the library it makes");
  }

  /** One random job for a kernel. */
  private record Job(
      int height, int width, Frame frame, boolean isMirrored, PixelFormat format, long seed) {
    static Job draw(Randomness random) {
      int height = 1 + random.nextInt(random.nextBoolean(0.3) ? 9 : 150);
      int width = 1 + random.nextInt(random.nextBoolean(0.3) ? 9 : 150);
      Frame frame = new Frame();
      frame.start(height, width);
      int rows = 1 + random.nextInt(height);
      int columns = 1 + random.nextInt(width);
      frame.crop(
          random.nextInt(height - rows + 1), random.nextInt(width - columns + 1), rows, columns);
      if (random.nextBoolean(0.9)) {
        int newHeight = random.nextBoolean(0.2) ? rows : 1 + random.nextInt(90);
        int newWidth = random.nextBoolean(0.2) ? columns : 1 + random.nextInt(90);
        frame.scale(newHeight, newWidth, FILTERS.get(random.nextInt(FILTERS.size())));
        if (random.nextBoolean(0.5)) {
          int keptRows = 1 + random.nextInt(newHeight);
          int keptColumns = 1 + random.nextInt(newWidth);
          frame.crop(
              random.nextInt(newHeight - keptRows + 1),
              random.nextInt(newWidth - keptColumns + 1),
              keptRows,
              keptColumns);
        }
      }
      return new Job(
          height, width, frame, random.nextBoolean(0.5), drawFormat(random), random.nextLong());
    }

    private static PixelFormat drawFormat(Randomness random) {
      Schema schema = Images.PIXELS;
      Layout layout = random.nextBoolean(0.5) ? Layout.NCHW : Layout.NHWC;
      return switch (random.nextInt(5)) {
        case 0 -> PixelFormat.RAW;
        case 1 -> new ConvertImage(DType.UINT8, layout, "image").format(schema);
        case 2 -> new ConvertImage(DType.BFLOAT16, layout, "image").format(schema);
        case 3 -> new ConvertImage(DType.FLOAT16, layout, "image").format(schema);
        default -> Normalize.imagenet().format(schema);
      };
    }

    /** What a kernel makes of it. */
    byte[] run(PixelKernel kernel) {
      Coefficients across = new Coefficients();
      Coefficients down = new Coefficients();
      across.prepare(frame.width, frame.scaledWidth, frame.filter, frame.outLeft, frame.outWidth);
      down.prepare(frame.height, frame.scaledHeight, frame.filter, frame.outTop, frame.outHeight);
      long rowBytes = width * 3L;
      long first = (frame.top + down.start) * rowBytes + (frame.left + across.start) * 3L;
      byte[] pixels = new byte[height * width * 3];
      Randomness random = new Randomness();
      random.startSample(seed, 0, 0);
      for (int i = 0; i < pixels.length; i++) {
        // Extremes show what runs over.
        pixels[i] = (byte) (random.nextBoolean(0.5) ? random.nextInt(256) : -random.nextInt(2));
      }
      byte[] out = new byte[(int) (3L * frame.outHeight * frame.outWidth * format.dtype().bytes())];
      try (Arena arena = Arena.ofConfined()) {
        // The picture ends where its memory ends: reading on would be noticed by a checker.
        MemorySegment from = arena.allocateFrom(ValueLayout.JAVA_BYTE, pixels);
        MemorySegment into = arena.allocate(out.length + 16L);
        into.fill((byte) 0x5A);
        Raster source = new Raster().place(from, first, rowBytes, 3).size(down.span, across.span);
        kernel.run(source, across, down, isMirrored, into, 0);
        MemorySegment.copy(into, ValueLayout.JAVA_BYTE, 0, out, 0, out.length);
        for (int i = 0; i < 16; i++) {
          assertEquals(0x5A, into.get(ValueLayout.JAVA_BYTE, out.length + (long) i), "overrun");
        }
      }
      return out;
    }
  }

  @Test
  void kernels_anyJob_agreeBitForBit() {
    Randomness random = new Randomness();
    for (int number = 0; number < 1500; number++) {
      random.startSample(Seeds.master(), 0, number);
      Job job = Job.draw(random);
      byte[] expected;
      try (HeapKernel kernel = new HeapKernel(job.format)) {
        expected = job.run(kernel);
      }
      for (int set = 0; set <= NativePixels.bestSet(); set++) {
        try (NativeKernel kernel = new NativeKernel(job.format, set)) {
          assertArrayEquals(
              expected, job.run(kernel), "job " + number + " of this seed, set " + set);
        }
      }
    }
  }

  private static final List<byte[]> FILES = new ArrayList<>();

  private static List<byte[]> files() throws IOException, InterruptedException {
    if (!FILES.isEmpty()) {
      return FILES;
    }
    List<byte[]> files = FILES;
    for (String line : PythonScript.run("jpeg_kinds.py", folder.toString())) {
      files.add(Files.readAllBytes(folder.resolve(line)));
    }
    return files;
  }

  /** The result of the transforms, one after the other. */
  private static byte[] oneByOne(List<Transform> transforms, byte[] file, long id) {
    Schema schema = Images.FILE;
    try (Sample sample = new Sample(schema, MemoryBudget.unlimited("test"))) {
      sample.start(7, 3, id);
      sample.value(0).setBytes(file);
      for (int i = 0; i < transforms.size(); i++) {
        try (Transform.Step step = transforms.get(i).open(schema)) {
          sample.startOperation(i);
          step.apply(sample);
        }
        schema = transforms.get(i).output(schema);
      }
      return Images.arrayOf(sample.value(0)).bytes();
    }
  }

  private static byte[] atOnce(Transform.Step step, byte[] file, long id) {
    try (Sample sample = new Sample(Images.FILE, MemoryBudget.unlimited("test"))) {
      sample.start(7, 3, id);
      sample.value(0).setBytes(file);
      sample.startOperation(0);
      step.apply(sample);
      return Images.arrayOf(sample.value(0)).bytes();
    }
  }

  private static void assertFused(List<Transform> transforms) throws Exception {
    Transform.Fusion fusion =
        transforms.getFirst().fuse(Images.FILE, transforms.subList(1, transforms.size()));
    assertNotNull(fusion);
    assertEquals(transforms.size(), fusion.count());
    try (Transform.Step step = fusion.step()) {
      int number = 0;
      for (byte[] file : files()) {
        for (long id = 0; id < 2; id++) {
          byte[] expected = oneByOne(transforms, file, id);
          byte[] result = atOnce(step, file, id);
          assertEquals(
              -1,
              Arrays.mismatch(expected, result),
              transforms + ", file " + number + ", sample " + id);
        }
        number++;
      }
    }
  }

  @Test
  void training_everyKindOfFile_equalsOneByOne() throws Exception {
    assertFused(
        List.of(
            DecodeImage.rgb(),
            RandomResizedCrop.of(32),
            RandomHorizontalFlip.of(0.5),
            Normalize.imagenet()));
  }

  @Test
  void evaluation_everyKindOfFile_equalsOneByOne() throws Exception {
    assertFused(List.of(DecodeImage.rgb(), Resize.of(40), CenterCrop.of(32), Normalize.imagenet()));
    // The cut is larger than many pictures: a border is needed, and the pass does it one by one.
    assertFused(List.of(DecodeImage.rgb(), Resize.of(20), CenterCrop.of(48)));
  }

  @Test
  void otherLists_everyKindOfFile_equalOneByOne() throws Exception {
    ConvertImage planar = ConvertImage.of(DType.UINT8, Layout.NCHW);
    RandomCrop.Border grown = new RandomCrop.Border(0, true, Padding.EDGE, 0);
    RandomCrop crop = new RandomCrop(9, 9, grown, "image");
    assertFused(List.of(DecodeImage.rgb(), crop, RandomHorizontalFlip.of(0.5)));
    RandomCrop.Border border = new RandomCrop.Border(2, true, Padding.EDGE, 0);
    assertFused(List.of(DecodeImage.rgb(), new RandomCrop(9, 9, border, "image"), planar));
    assertFused(List.of(DecodeImage.rgb(), CenterCrop.of(8), Resize.of(5, 6), planar));
    assertFused(List.of(DecodeImage.rgb(), Resize.of(20, 30), RandomResizedCrop.of(12), planar));
    assertFused(List.of(DecodeImage.gray(), Resize.of(20, 30), CenterCrop.of(15), planar));
    assertFused(
        List.of(
            new DecodeImage(DecodeImage.Mode.RGB, true, 1 << 20, false, "image"),
            RandomResizedCrop.of(12),
            planar));
    for (Interpolation filter : FILTERS) {
      Resize resize = new Resize(new Resize.Exactly(21, 17), filter, "image");
      assertFused(List.of(DecodeImage.rgb(), resize, CenterCrop.of(13), planar));
    }
  }

  @Test
  void fusion_otherTransformsBetween_endsThere() {
    List<Transform> jitter = List.of(ColorJitter.of(0.4, 0.4, 0.4, 0.1), Normalize.imagenet());
    assertNull(RandomHorizontalFlip.of(0.5).fuse(Images.PIXELS, jitter));
    assertNull(DecodeImage.rgb().fuse(Images.FILE, List.of()));
    List<Transform> twoFlips =
        List.of(RandomHorizontalFlip.of(0.5), RandomHorizontalFlip.of(0.5), CenterCrop.of(3));
    Transform.Fusion fusion = DecodeImage.rgb().fuse(Images.FILE, twoFlips);
    assertNotNull(fusion);
    assertEquals(2, fusion.count());
    fusion.step().close();
  }

  private static byte[] smoothPicture() throws IOException {
    BufferedImage image = new BufferedImage(403, 301, BufferedImage.TYPE_INT_RGB);
    for (int at = 0; at < 403 * 301; at++) {
      int across = at % 403 * 255 / 402;
      int down = at / 403 * 255 / 300;
      image.setRGB(at % 403, at / 403, across << 16 | down << 8 | (across + down) / 2);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "jpeg", out);
    return out.toByteArray();
  }

  /** Decoded at a fraction of the size, a picture looks the same, if not to the bit. */
  @Test
  void dctScaling_shrunkenPicture_isCloseToTheExactOne() throws Exception {
    RandomResizedCrop crop = RandomResizedCrop.of(24);
    DecodeImage scaling =
        new DecodeImage(DecodeImage.Mode.RGB, false, DecodeImage.PIXELS_MAX, true, "image");
    Transform.Fusion fusion = scaling.fuse(Images.FILE, List.of(crop));
    assertNotNull(fusion);
    byte[] file = smoothPicture();
    int different = 0;
    try (Transform.Step step = fusion.step()) {
      for (long id = 0; id < 50; id++) {
        byte[] exact = oneByOne(List.of(DecodeImage.rgb(), crop), file, id);
        byte[] scaled = atOnce(step, file, id);
        double sum = 0;
        for (int i = 0; i < exact.length; i++) {
          sum += Math.abs((exact[i] & 0xFF) - (scaled[i] & 0xFF));
        }
        assertTrue(sum / exact.length < 5, "sample " + id + ": " + sum / exact.length);
        different += sum > 0 ? 1 : 0;
      }
      for (byte[] other : files()) {
        assertEquals(24 * 24 * 3, atOnce(step, other, 0).length);
      }
    }
    assertTrue(different > 40, different + " crops were decoded at a smaller size");
  }

  /** The part of a picture that decoding only that part gives. */
  @Test
  void decodePart_anyPart_equalsTheWholePicture() throws Exception {
    Randomness random = new Randomness();
    try (ImageDecoder decoder = new ImageDecoder(DecodeImage.rgb(), 0);
        Sample sample = new Sample(Images.FILE, MemoryBudget.unlimited("test"))) {
      int number = 0;
      for (byte[] file : files()) {
        Images.Array whole = Images.decode(DecodeImage.rgb(), file);
        int height = (int) whole.shape().dim(0);
        int width = (int) whole.shape().dim(1);
        for (int id = 0; id < 60; id++) {
          random.startSample(Seeds.master(), number, id);
          int rows = 1 + random.nextInt(random.nextBoolean(0.5) ? height : Math.min(height, 4));
          int columns = 1 + random.nextInt(random.nextBoolean(0.5) ? width : Math.min(width, 4));
          JpegDecoder.Part part =
              new JpegDecoder.Part(
                  random.nextInt(height - rows + 1),
                  random.nextInt(width - columns + 1),
                  rows,
                  columns);
          sample.value(0).setBytes(file);
          decoder.open(sample.value(0));
          assertEquals(List.of(height, width), List.of(decoder.height(), decoder.width()));
          assertPart(whole, decoder.decode(part), part, "file " + number);
        }
        number++;
      }
      assertTrue(
          number > 100, number + " files: is libjpeg-turbo 3 there, which makes most of them?");
    }
  }

  private static void assertPart(
      Images.Array whole, Raster raster, JpegDecoder.Part part, String file) {
    int width = (int) whole.shape().dim(1);
    byte[] row = new byte[part.width() * 3];
    for (int y = 0; y < part.height(); y++) {
      long at = raster.offset() + y * raster.rowBytes();
      MemorySegment.copy(raster.segment(), ValueLayout.JAVA_BYTE, at, row, 0, row.length);
      int from = ((part.top() + y) * width + part.left()) * 3;
      byte[] expected = Arrays.copyOfRange(whole.bytes(), from, from + row.length);
      assertArrayEquals(expected, row, () -> file + ", " + part);
    }
  }
}
