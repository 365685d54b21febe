package dev.forebay.image;

import dev.forebay.error.BadDataException;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.event.IIOReadWarningListener;
import javax.imageio.stream.ImageInputStream;

/**
 * Decodes JPEG files by the JDK's own decoder, where libjpeg-turbo is missing: slower, with pixels
 * that differ by a level here and there, and not for CMYK. Confined to one worker, which closes it.
 */
final class StandardJpeg implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.forebay");
  private static final String INSTALL =
      "install it by apt-get install libturbojpeg0 or brew install jpeg-turbo, or name it by FOREBAY_LIBTURBOJPEG";
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private final ImageReader reader;
  private final IIOReadWarningListener listener = (_, warning) -> noteWarning(warning);
  private boolean isTruncated;

  StandardJpeg() {
    if (!WARNED.getAndSet(true)) {
      LOG.log(
          System.Logger.Level.WARNING,
          "libjpeg-turbo was not found, so JPEG decoding is 2 to 3 times slower and not bit-exact; "
              + INSTALL);
    }
    ImageIO.setUseCache(false);
    Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName("jpeg");
    if (!readers.hasNext()) {
      throw new IllegalStateException("this JDK has no JPEG decoder (module java.desktop)");
    }
    reader = readers.next();
    reader.addIIOReadWarningListener(listener);
  }

  private void noteWarning(String warning) {
    isTruncated |= warning.contains("Truncated") || warning.contains("Premature end");
  }

  void decode(Bytes in, Pixels out, long pixelsMax) {
    isTruncated = false;
    ByteArrayInputStream bytes = new ByteArrayInputStream(in.data(), 0, in.length());
    try (ImageInputStream stream = ImageIO.createImageInputStream(bytes)) {
      reader.setInput(stream, true, true);
      Pixels.checkSize(reader.getWidth(0), reader.getHeight(0), pixelsMax);
      copy(reader.read(0), out, pixelsMax);
    } catch (IOException | IllegalArgumentException | IllegalStateException failure) {
      throw new BadDataException(
          "the JPEG file cannot be decoded: " + failure.getMessage(), failure);
    } finally {
      reader.setInput(null);
    }
    if (isTruncated) {
      throw new BadDataException("the JPEG file is truncated");
    }
  }

  private static void copy(BufferedImage image, Pixels out, long pixelsMax) {
    int bands = image.getRaster().getNumBands();
    if (bands != 1 && bands != 3) {
      throw new BadDataException(
          "a JPEG file of %d channels needs libjpeg-turbo; %s".formatted(bands, INSTALL));
    }
    boolean isGray = bands == 1;
    out.start(image.getWidth(), image.getHeight(), isGray ? 1 : 3, pixelsMax);
    if (isGray) {
      Raster raster = image.getRaster();
      int[] row = new int[out.width];
      for (int y = 0; y < out.height; y++) {
        raster.getSamples(0, y, out.width, 1, 0, row);
        for (int x = 0; x < out.width; x++) {
          out.data[y * out.width + x] = (byte) row[x];
        }
      }
      return;
    }
    int[] row = new int[out.width];
    for (int y = 0; y < out.height; y++) {
      image.getRGB(0, y, out.width, 1, row, 0, out.width);
      for (int x = 0; x < out.width; x++) {
        int at = (y * out.width + x) * 3;
        out.data[at] = (byte) (row[x] >> 16);
        out.data[at + 1] = (byte) (row[x] >> 8);
        out.data[at + 2] = (byte) row[x];
      }
    }
  }

  @Override
  public void close() {
    reader.dispose();
  }
}
