package dev.forebay.image;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The kernel in C, for pictures of three channels in native memory: {@code src/main/c/pixels.c}.
 * This class computes all sizes and holds all memory; the library trusts them.
 */
final class NativeKernel implements PixelKernel {
  private static final long KEPT_BYTES_MAX = 64 << 20;

  private final PixelFormat format;
  private final int instructionSet;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment job = arena.allocate(KernelJob.BYTES, Long.BYTES);
  private final NativeBuffer weights = new NativeBuffer(MemoryBudget.unlimited("pixel weights"));
  private final NativeBuffer scratch = new NativeBuffer(MemoryBudget.unlimited("pixel rows"));

  NativeKernel(PixelFormat format) {
    this(format, NativePixels.bestSet());
  }

  /** A kernel for one of the processor's instruction sets. */
  NativeKernel(PixelFormat format, int instructionSet) {
    this.format = format;
    this.instructionSet = Objects.checkIndex(instructionSet, NativePixels.bestSet() + 1);
    if (!format.isRaw()) {
      MemorySegment table = arena.allocate(format.tableBytes(), Long.BYTES);
      format.putTables(table);
      job.set(JAVA_LONG, KernelJob.TABLE, table.address());
    }
    job.set(JAVA_INT, KernelJob.IS_PLANAR, format.isPlanar() ? 1 : 0);
    job.set(JAVA_INT, KernelJob.ELEMENT, element(format));
  }

  private static int element(PixelFormat format) {
    return switch (format.dtype()) {
      case UINT8 -> KernelJob.ELEMENT_BYTE;
      case FLOAT16, BFLOAT16 -> KernelJob.ELEMENT_HALF;
      default -> KernelJob.ELEMENT_FLOAT;
    };
  }

  /** Whether this kernel can read those pixels. */
  static boolean suits(Raster source) {
    return NativePixels.isAvailable() && source.channels() == 3 && source.segment().isNative();
  }

  @Override
  public void run(
      Raster source,
      Coefficients across,
      Coefficients down,
      boolean isMirrored,
      MemorySegment into,
      long at) {
    check(source, across, down, into, at);
    job.set(JAVA_LONG, KernelJob.SOURCE, source.segment().address() + source.offset());
    job.set(JAVA_LONG, KernelJob.ROW_BYTES, source.rowBytes());
    job.set(JAVA_INT, KernelJob.SOURCE_ROWS, source.height());
    job.set(JAVA_INT, KernelJob.SOURCE_COLUMNS, source.width());
    job.set(JAVA_INT, KernelJob.HEIGHT, down.size);
    job.set(JAVA_INT, KernelJob.WIDTH, across.size);
    job.set(JAVA_INT, KernelJob.IS_MIRRORED, isMirrored ? 1 : 0);
    job.set(JAVA_LONG, KernelJob.OUT, into.address() + at);
    putWeights(across, down);
    long lineBytes = KernelJob.lineBytes(across.size);
    long rowsBytes = Math.multiplyExact(source.height() + (long) KernelJob.ROWS_MAX, lineBytes);
    long lineAt = rowsBytes + KernelJob.lineBytes(source.width());
    MemorySegment memory = scratch.ensure(lineAt + lineBytes);
    job.set(JAVA_LONG, KernelJob.SCRATCH, memory.address());
    job.set(JAVA_LONG, KernelJob.LINE, memory.address() + lineAt);
    NativePixels.run(job.address(), instructionSet);
    if (scratch.capacity() > KEPT_BYTES_MAX) {
      scratch.clear();
    }
  }

  /** The library reads and writes where it is told, so this is the last place to notice. */
  private void check(
      Raster source, Coefficients across, Coefficients down, MemorySegment into, long at) {
    long last = (source.height() - 1) * source.rowBytes() + 3L * source.width();
    Objects.checkFromIndexSize(source.offset(), last, source.segment().byteSize());
    long bytes = 3L * across.size * down.size * format.dtype().bytes();
    Objects.checkFromIndexSize(at, bytes, into.byteSize());
    if (across.span != source.width() || down.span != source.height()) {
      throw new IllegalArgumentException(
          "%d x %d pixels are needed, not %d x %d"
              .formatted(across.span, down.span, source.width(), source.height()));
    }
  }

  private void putWeights(Coefficients across, Coefficients down) {
    long acrossInts = ints(across);
    MemorySegment memory = weights.ensure((acrossInts + ints(down)) * Integer.BYTES);
    putWeights(across, memory, 0, KernelJob.X_TAPS);
    putWeights(down, memory, acrossInts * Integer.BYTES, KernelJob.Y_TAPS);
  }

  private static long ints(Coefficients line) {
    return line.isIdentity ? 0 : line.size * (1L + line.taps);
  }

  /** Writes the first pixels, then the weights, and tells the job where they are. */
  private void putWeights(Coefficients line, MemorySegment memory, long at, long tapsAt) {
    boolean isAcross = tapsAt == KernelJob.X_TAPS;
    job.set(JAVA_INT, tapsAt, line.isIdentity ? 0 : line.taps);
    if (line.isIdentity) {
      return;
    }
    long weightsAt = at + (long) line.size * Integer.BYTES;
    job.set(JAVA_LONG, isAcross ? KernelJob.X_FIRST : KernelJob.Y_FIRST, memory.address() + at);
    job.set(
        JAVA_LONG,
        isAcross ? KernelJob.X_WEIGHTS : KernelJob.Y_WEIGHTS,
        memory.address() + weightsAt);
    MemorySegment.copy(line.evenFirst, 0, memory, JAVA_INT, at, line.size);
    MemorySegment.copy(line.evenWeights, 0, memory, JAVA_INT, weightsAt, line.size * line.taps);
  }

  @Override
  public void close() {
    arena.close();
    weights.close();
    scratch.close();
  }
}
