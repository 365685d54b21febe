package dev.forebay.image;

import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import dev.forebay.transform.Randomness;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Decoding random crops of a JPEG file of 500 x 375: all of it, the part, the part cut out. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@SuppressWarnings("NullAway.Init") // JMH calls the setup before anything else
public class JpegPartBenchmark {
  private static final int HEIGHT = 375;
  private static final int WIDTH = 500;

  /** Whole file, the part, or the part of a file with a restart marker behind every MCU. */
  @Param({"whole", "part", "cut"})
  String how = "";

  private final Arena arena = Arena.ofShared();
  private final NativeBuffer pixels = new NativeBuffer(MemoryBudget.unlimited("pixels"));
  private final Frame frame = new Frame();
  private final Randomness random = new Randomness();
  private JpegDecoder decoder;
  private MemorySegment file;
  private long number;

  /** Makes a picture with smooth parts and noise. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    random.startSample(2, 0, 0);
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    for (int at = 0; at < WIDTH * HEIGHT; at++) {
      int shade = 60 + (at % WIDTH + at / WIDTH) / 8 + random.nextInt(48);
      image.setRGB(at % WIDTH, at / WIDTH, shade << 16 | shade << 8 | (255 - shade));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(image, "jpeg", out);
    byte[] bytes = out.toByteArray();
    if (how.equals("cut")) {
      try (JpegRecoder recoder = new JpegRecoder(1)) {
        bytes = recoder.recode(bytes);
      }
    }
    file = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
    decoder = new JpegDecoder();
  }

  /** Frees everything. */
  @TearDown(Level.Trial)
  public void tearDown() {
    decoder.close();
    pixels.close();
    arena.close();
  }

  /** One crop, another one each time. */
  @Benchmark
  public MemorySegment decode() {
    random.startSample(1, 0, number++);
    frame.start(HEIGHT, WIDTH);
    RandomResizedCrop.of(224).frame(frame, random);
    decoder.readHeader(file, 0, file.byteSize());
    if (how.equals("whole")) {
      MemorySegment place = pixels.ensure(HEIGHT * WIDTH * 3L);
      decoder.decode(file, 0, file.byteSize(), place, 0, TurboJpeg.RGB);
      return place;
    }
    JpegDecoder.Part part = new JpegDecoder.Part(frame.top, frame.left, frame.height, frame.width);
    return decoder.decodePart(file, 0, file.byteSize(), part, pixels).segment();
  }
}
