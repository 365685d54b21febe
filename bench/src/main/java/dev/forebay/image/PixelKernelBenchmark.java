package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Randomness;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
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

/** Random crops of a 500 x 375 picture to 224 x 224, flipped, normalised to float32 NCHW. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@SuppressWarnings("NullAway.Init") // JMH calls the setup before anything else
public class PixelKernelBenchmark {
  private static final int HEIGHT = 375;
  private static final int WIDTH = 500;
  private static final int SIZE = 224;

  /** Java, or the native code for an instruction set. */
  @Param({"java", "plain", "avx2", "avx512"})
  String kernel = "";

  private final Arena arena = Arena.ofShared();
  private final Coefficients across = new Coefficients();
  private final Coefficients down = new Coefficients();
  private final Frame frame = new Frame();
  private final Raster raster = new Raster();
  private final Randomness random = new Randomness();
  private PixelKernel used;
  private MemorySegment picture;
  private MemorySegment row;
  private long number;

  /** Makes a picture of noise. */
  @Setup(Level.Trial)
  public void setUp() {
    picture = arena.allocate(HEIGHT * WIDTH * 3L, 64);
    row = arena.allocate(SIZE * SIZE * 3L * Float.BYTES, 64);
    random.startSample(1, 0, 0);
    for (long at = 0; at < picture.byteSize(); at++) {
      picture.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt(256));
    }
    Schema schema =
        Schema.of(Field.tensor("image", DType.UINT8, Shape.of(Shape.UNKNOWN, Shape.UNKNOWN, 3)));
    PixelFormat format = Normalize.imagenet().format(schema);
    used =
        switch (kernel) {
          case "java" -> new HeapKernel(format);
          case "plain" -> new NativeKernel(format, 0);
          case "avx2" -> new NativeKernel(format, 1);
          default -> new NativeKernel(format, 2);
        };
  }

  /** Frees everything. */
  @TearDown(Level.Trial)
  public void tearDown() {
    used.close();
    arena.close();
  }

  /** One crop, another one each time; weights included. */
  @Benchmark
  public MemorySegment crop() {
    random.startSample(1, 0, number++);
    frame.start(HEIGHT, WIDTH);
    RandomResizedCrop.of(SIZE).frame(frame, random);
    across.prepare(frame.width, SIZE, frame.filter, 0, SIZE);
    down.prepare(frame.height, SIZE, frame.filter, 0, SIZE);
    long first = ((frame.top + (long) down.start) * WIDTH + frame.left + across.start) * 3L;
    raster.place(picture, first, WIDTH * 3L, 3).size(down.span, across.span);
    used.run(raster, across, down, (number & 1) == 0, row, 0);
    return row;
  }
}
