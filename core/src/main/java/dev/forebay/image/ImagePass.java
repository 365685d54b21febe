package dev.forebay.image;

import dev.forebay.stats.Stage;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One or several image transforms as one step: what is needed of the picture goes from the decoder
 * into the row, scaled, mirrored, normalised and laid out on the way. The result is bit for bit
 * that of the transforms one by one. Confined to one worker, which closes it.
 */
final class ImagePass implements Transform.Step {
  /**
   * The transforms.
   *
   * @param decoder if the first one decodes; else the value is an image already
   * @param framings those that follow it and only say which part is kept, at which size
   * @param mirror the probability of the random mirroring behind them; null if there is none
   * @param format what the last one makes of the pixels
   */
  record Work(
      @Nullable ImageDecoder decoder,
      List<Framing> framings,
      @Nullable Double mirror,
      PixelFormat format) {
    /** The work of a single transform that frames images. */
    static Work of(Framing framing) {
      return new Work(null, List.of(framing), null, PixelFormat.RAW);
    }

    /** The work of a single transform that gives pixels another format. */
    static Work of(PixelFormat format) {
      return new Work(null, List.of(), null, format);
    }
  }

  private final Work work;
  private final int slot;
  private final Transform.Step[] apart;
  private final double mirrorProbability;
  private final Frame frame = new Frame();
  private final Raster raster = new Raster();
  private final Coefficients across = new Coefficients();
  private final Coefficients down = new Coefficients();
  private final HeapKernel heapKernel;
  private final @Nullable NativeKernel nativeKernel;

  /** A step for work that can always be done in one pass. */
  ImagePass(Work work, int slot) {
    this(work, slot, new Transform.Step[0]);
  }

  /**
   * A step.
   *
   * @param apart the same transforms one by one, for pictures that need a border, for example
   */
  ImagePass(Work work, int slot, Transform.Step[] apart) {
    this.work = work;
    this.slot = slot;
    this.apart = apart;
    this.mirrorProbability = work.mirror == null ? 0 : work.mirror;
    this.heapKernel = new HeapKernel(work.format);
    this.nativeKernel = NativePixels.isAvailable() ? new NativeKernel(work.format) : null;
  }

  @Override
  public void apply(Sample sample) {
    Value value = sample.value(slot);
    int operation = sample.operation();
    ImageDecoder decoder = work.decoder;
    if (decoder != null) {
      decoder.open(value);
      operation++;
      frame.start(decoder.height(), decoder.width());
    } else {
      frame.start((int) value.dim(0), (int) value.dim(1));
    }
    for (int i = 0; i < work.framings.size(); i++, operation++) {
      if (!work.framings.get(i).apply(frame, random(sample, operation))) {
        applyApart(sample, value, sample.operation() - indexOfOperation(i));
        return;
      }
    }
    boolean isMirrored =
        work.mirror != null && random(sample, operation).nextBoolean(mirrorProbability);
    int denominator = decoder == null ? 1 : decoder.denominator(frame);
    if (decoder != null && denominator > 1) {
      frame.shrink(denominator, decoder.height(), decoder.width());
    }
    across.prepare(frame.width, frame.scaledWidth, frame.filter, frame.outLeft, frame.outWidth);
    down.prepare(frame.height, frame.scaledHeight, frame.filter, frame.outTop, frame.outHeight);
    Raster source = source(value, denominator);
    sample.enter(Stage.TRANSFORM);
    run(source, isMirrored, value);
    if (decoder != null) {
      decoder.trim();
    }
  }

  private int indexOfOperation(int framing) {
    return framing + (work.decoder == null ? 0 : 1);
  }

  private static Randomness random(Sample sample, int operation) {
    sample.startOperation(operation);
    return sample.random();
  }

  /** The pixels that the coefficients need. */
  private Raster source(Value value, int denominator) {
    int top = frame.top + down.start;
    int left = frame.left + across.start;
    if (work.decoder != null) {
      JpegDecoder.Part part = new JpegDecoder.Part(top, left, down.span, across.span);
      return denominator == 1
          ? work.decoder.decode(part)
          : work.decoder.decodeScaled(part, denominator);
    }
    int channels = (int) value.dim(2);
    long rowBytes = value.dim(1) * channels;
    long first = value.offset() + top * rowBytes + (long) left * channels;
    return raster.place(value.segment(), first, rowBytes, channels).size(down.span, across.span);
  }

  private void run(Raster source, boolean isMirrored, Value value) {
    MemorySegment place = work.format.write(value, down.size, across.size, source.channels());
    kernel(source, place).run(source, across, down, isMirrored, place, value.offset());
  }

  private PixelKernel kernel(Raster source, MemorySegment place) {
    NativeKernel preferred = nativeKernel;
    boolean suits = preferred != null && place.isNative() && NativeKernel.suits(source);
    return suits && preferred != null ? preferred : heapKernel;
  }

  /** Only the last step may write into the row: the others' results are not final. */
  private void applyApart(Sample sample, Value value, int firstOperation) {
    boolean isDirect = value.isDirect();
    value.direct(false);
    for (int i = 0; i < apart.length; i++) {
      if (i > 0) {
        sample.enter(Stage.TRANSFORM);
      }
      value.direct(isDirect && i + 1 == apart.length);
      sample.startOperation(firstOperation + i);
      apart[i].apply(sample);
    }
  }

  @Override
  public void close() {
    heapKernel.close();
    if (nativeKernel != null) {
      nativeKernel.close();
    }
    for (Transform.Step step : apart) {
      step.close();
    }
    if (apart.length == 0 && work.decoder != null) {
      work.decoder.close();
    }
  }
}
