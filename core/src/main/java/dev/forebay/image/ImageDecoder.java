package dev.forebay.image;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.DType;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One decoder of each kind, and their memory. As a step it decodes whole pictures; an {@link
 * ImagePass} opens a file and decodes the part that it needs.
 */
final class ImageDecoder implements Transform.Step {
  private static final long KEPT_BYTES_MAX = 64 << 20;
  private static final int DENOMINATOR_MAX = 8;

  private final DecodeImage settings;
  private final int slot;
  private final Bytes bytes = new Bytes();
  private final Pixels pixels = new Pixels();
  private final PngDecoder png = new PngDecoder();
  private final GifDecoder gif = new GifDecoder();
  private final BmpDecoder bmp = new BmpDecoder();
  private final @Nullable JpegDecoder jpeg;
  private @Nullable StandardJpeg standardJpeg;
  private final NativeBuffer file = new NativeBuffer(MemoryBudget.unlimited("image files"));
  private final NativeBuffer decoded = new NativeBuffer(MemoryBudget.unlimited("decoded images"));

  /* The file that is open. */
  private MemorySegment source = MemorySegment.NULL;
  private long start;
  private long length;
  private int orientation = Exif.UPRIGHT;
  private final Raster raster = new Raster();

  /**
   * True if libjpeg-turbo will decode it just as it is delivered; else {@link #pixels} holds it.
   */
  private boolean isTurbo;

  ImageDecoder(DecodeImage settings, int slot) {
    this(settings, slot, TurboJpeg.isAvailable());
  }

  ImageDecoder(DecodeImage settings, int slot, boolean useTurbo) {
    this.settings = settings;
    this.slot = slot;
    this.jpeg = useTurbo ? new JpegDecoder() : null;
  }

  @Override
  public void apply(Sample sample) {
    Value value = sample.value(slot);
    open(value);
    int channels = settings.mode().channels;
    MemorySegment place = value.write(DType.UINT8, height(), width(), channels);
    if (isTurbo) {
      int format = channels == 1 ? TurboJpeg.GRAY : TurboJpeg.RGB;
      turbo().decode(source, start, length, place, value.offset(), format);
      return;
    }
    put(place, value.offset());
    pixels.trim();
  }

  /** Reads as much of a file, a value's bytes, as is needed to know the picture's size. */
  void open(Value value) {
    source = value.segment();
    start = value.offset();
    length = value.bytes();
    isTurbo = false;
    if (length == 0) {
      throw new BadDataException("the file is empty");
    }
    ImageFormat format = ImageFormat.of(source, start, length);
    if (format == ImageFormat.JPEG && jpeg != null) {
      openJpeg(jpeg);
      return;
    }
    bytes.load(source, start, length);
    orientation = decodeOnHeap(format);
    bytes.trim();
  }

  private JpegDecoder turbo() {
    return Objects.requireNonNull(jpeg, "jpeg");
  }

  /** Rows of the picture that was opened, upright. */
  int height() {
    return isTurbo ? turbo().height() : orientation >= 5 ? pixels.width : pixels.height;
  }

  /** Columns of the picture that was opened, upright. */
  int width() {
    return isTurbo ? turbo().width() : orientation >= 5 ? pixels.height : pixels.width;
  }

  /** The pixels of a part of the picture that was opened; valid until the next one is opened. */
  Raster decode(JpegDecoder.Part part) {
    int channels = settings.mode().channels;
    if (isTurbo && channels == 3) {
      return turbo().decodePart(source, start, length, part, decoded);
    }
    long rowBytes = (long) width() * channels;
    MemorySegment place = decoded.ensure(height() * rowBytes);
    if (isTurbo) {
      turbo().decode(source, start, length, place, 0, TurboJpeg.GRAY);
    } else {
      put(place, 0);
      pixels.trim();
    }
    long first = part.top() * rowBytes + (long) part.left() * channels;
    return raster.place(place, first, rowBytes, channels).size(part.height(), part.width());
  }

  /**
   * The largest fraction at which the open file may be decoded for what a frame keeps of it: 1, or
   * 2, 4 or 8 if that is wanted and leaves at least as many pixels as the result has.
   */
  int denominator(Frame frame) {
    boolean isPossible =
        settings.dctScaling() && isTurbo && settings.mode().channels == 3 && turbo().canScale();
    int denominator = isPossible && frame.filter != Interpolation.NEAREST ? DENOMINATOR_MAX : 1;
    while (denominator > 1
        && (frame.height / denominator < frame.scaledHeight
            || frame.width / denominator < frame.scaledWidth)) {
      denominator /= 2;
    }
    return denominator;
  }

  /** As {@link #decode}, for a part of the picture at a fraction of its size. */
  Raster decodeScaled(JpegDecoder.Part part, int denominator) {
    return turbo().decodeScaled(source, start, length, part, denominator, decoded);
  }

  /** Gives memory back after a picture far larger than most. */
  void trim() {
    if (decoded.capacity() > KEPT_BYTES_MAX) {
      decoded.clear();
    }
  }

  /** Fills {@link #pixels}; returns the orientation. */
  private int decodeOnHeap(ImageFormat format) {
    long pixelsMax = settings.pixelsMax();
    switch (format) {
      case JPEG -> {
        standardJpeg().decode(bytes, pixels, pixelsMax);
        return settings.exifOrientation() ? Exif.ofJpeg(bytes) : Exif.UPRIGHT;
      }
      case PNG -> {
        png.decode(bytes, pixels, pixelsMax);
        boolean hasExif = settings.exifOrientation() && png.exifAt() >= 0;
        return hasExif ? Exif.orientation(bytes, png.exifAt(), png.exifBytes()) : Exif.UPRIGHT;
      }
      case GIF -> gif.decode(bytes, pixels, pixelsMax);
      case BMP -> bmp.decode(bytes, pixels, pixelsMax);
      case PNM -> PnmDecoder.decode(bytes, pixels, pixelsMax);
      case WEBP, TIFF ->
          throw new BadDataException(
              "the file is a " + format + " image, which is not supported; convert it to PNG");
      case UNKNOWN ->
          throw new BadDataException(
              "the file is no image: none of JPEG, PNG, GIF, BMP, PNM begins with its bytes");
    }
    return Exif.UPRIGHT;
  }

  private StandardJpeg standardJpeg() {
    if (standardJpeg == null) {
      standardJpeg = new StandardJpeg();
    }
    return standardJpeg;
  }

  private void openJpeg(JpegDecoder decoder) {
    if (!source.isNative()) {
      MemorySegment copy = file.ensure(length);
      MemorySegment.copy(source, start, copy, 0, length);
      source = copy;
      start = 0;
    }
    decoder.readHeader(source, start, length);
    int width = decoder.width();
    int height = decoder.height();
    Pixels.checkSize(width, height, settings.pixelsMax());
    orientation = settings.exifOrientation() ? orientationOf(source, start, length) : Exif.UPRIGHT;
    boolean isGray = settings.mode() == DecodeImage.Mode.GRAY;
    isTurbo = orientation == Exif.UPRIGHT && !decoder.isCmyk() && (!isGray || decoder.isGray());
    if (isTurbo) {
      return;
    }
    int channels = decoder.isCmyk() ? 4 : 3;
    MemorySegment place = decoded.ensure((long) width * height * channels);
    int format = decoder.isCmyk() ? TurboJpeg.CMYK : TurboJpeg.RGB;
    decoder.decode(source, start, length, place, 0, format);
    take(place, width, height, channels);
    trim();
  }

  private int orientationOf(MemorySegment source, long offset, long length) {
    bytes.load(source, offset, length);
    int orientation = Exif.ofJpeg(bytes);
    bytes.trim();
    return orientation;
  }

  /** Takes a picture over into {@link #pixels}, from four inks to three colours if need be. */
  private void take(MemorySegment place, int width, int height, int channels) {
    pixels.start(width, height, 3, settings.pixelsMax());
    int count = width * height;
    if (channels == 3) {
      MemorySegment.copy(place, ValueLayout.JAVA_BYTE, 0, pixels.data, 0, 3 * count);
      return;
    }
    for (int i = 0; i < count; i++) {
      // JPEG files with four inks hold them inverted, as Adobe began it and Pillow takes for
      // granted.
      int white = place.get(ValueLayout.JAVA_BYTE, 4L * i + 3) & 0xFF;
      for (int ink = 0; ink < 3; ink++) {
        int color = 255 - (place.get(ValueLayout.JAVA_BYTE, 4L * i + ink) & 0xFF);
        int product = color * white + 128;
        int darkened = white - (((product >> 8) + product) >> 8);
        pixels.data[3 * i + ink] = (byte) Math.max(0, darkened);
      }
    }
  }

  /** Puts {@link #pixels} there, turned upright, in the channels wanted. */
  private void put(MemorySegment place, long at) {
    boolean isTransposed = orientation >= 5;
    int width = width();
    int height = height();
    int channels = settings.mode().channels;
    if (orientation == Exif.UPRIGHT && channels == pixels.channels) {
      int count = width * height * channels;
      MemorySegment.copy(pixels.data, 0, place, ValueLayout.JAVA_BYTE, at, count);
      return;
    }
    boolean isMirroredX =
        orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
    boolean isMirroredY =
        orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
    for (int y = 0; y < height; y++) {
      int fromAcross = isMirroredY ? height - 1 - y : y;
      for (int x = 0; x < width; x++) {
        int fromAlong = isMirroredX ? width - 1 - x : x;
        int from =
            isTransposed
                ? fromAlong * pixels.width + fromAcross
                : fromAcross * pixels.width + fromAlong;
        writePixel(place, at + ((long) y * width + x) * channels, from * pixels.channels);
      }
    }
  }

  private void writePixel(MemorySegment place, long at, int from) {
    byte[] data = pixels.data;
    boolean isGray = pixels.channels == 1;
    int green = isGray ? from : from + 1;
    int blue = isGray ? from : from + 2;
    if (settings.mode() == DecodeImage.Mode.RGB) {
      place.set(ValueLayout.JAVA_BYTE, at, data[from]);
      place.set(ValueLayout.JAVA_BYTE, at + 1, data[green]);
      place.set(ValueLayout.JAVA_BYTE, at + 2, data[blue]);
      return;
    }
    int weighted =
        19595 * (data[from] & 0xFF) + 38470 * (data[green] & 0xFF) + 7471 * (data[blue] & 0xFF);
    place.set(ValueLayout.JAVA_BYTE, at, (byte) ((weighted + 0x8000) >> 16));
  }

  @Override
  public void close() {
    png.close();
    if (jpeg != null) {
      jpeg.close();
    }
    if (standardJpeg != null) {
      standardJpeg.close();
    }
    file.close();
    decoded.close();
  }
}
