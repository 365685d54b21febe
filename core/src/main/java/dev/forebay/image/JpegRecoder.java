package dev.forebay.image;

import dev.forebay.error.BadDataException;
import dev.forebay.error.ConfigurationException;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Codes JPEG files anew, without loss: the decoded pixels stay the same to the bit. The new files
 * have restart markers, so that a part of the picture can be decoded without the rest; any program
 * can read them. Baseline and progressive files become baseline ones, with all their metadata.
 * Confined to one thread, which closes it.
 */
public final class JpegRecoder implements AutoCloseable {
  /** The most MCUs between two markers. */
  public static final int INTERVAL_MAX = 65_535;

  private final long handle;
  private final int interval;
  private final JpegDecoder decoder;
  private final NativeBuffer before = new NativeBuffer(MemoryBudget.unlimited("decoded originals"));
  private final NativeBuffer after = new NativeBuffer(MemoryBudget.unlimited("decoded copies"));

  /**
   * A recoder.
   *
   * @param interval MCUs (16 x 16 pixels in most photographs) between two markers, 1 to {@link
   *     #INTERVAL_MAX}; parts are cut from a file only if it divides a row of MCUs, as 1 always
   *     does
   * @throws ConfigurationException if libjpeg-turbo 3 is missing
   */
  public JpegRecoder(int interval) {
    ImageField.check(
        interval >= 1 && interval <= INTERVAL_MAX, "interval", interval, "1 to " + INTERVAL_MAX);
    if (!TurboJpeg.canCrop()) {
      throw new ConfigurationException(
          "JPEG files can be coded anew by libjpeg-turbo 3 only, which is neither bundled nor"
              + " installed; install npm and build again, or name it by FOREBAY_LIBTURBOJPEG");
    }
    this.interval = interval;
    this.handle = TurboJpeg.initTransformer();
    if (handle == 0) {
      throw new OutOfMemoryError("no memory for a JPEG transformer");
    }
    this.decoder = new JpegDecoder();
  }

  /** True if the content begins as JPEG files do. */
  public static boolean isJpeg(byte[] file) {
    return ImageFormat.of(MemorySegment.ofArray(file), 0, file.length) == ImageFormat.JPEG;
  }

  /**
   * The file coded anew.
   *
   * @throws BadDataException if it is damaged, or its pixels would not be the same
   */
  public byte[] recode(byte[] file) {
    byte[] recoded;
    try (Arena arena = Arena.ofConfined()) {
      recoded = TurboJpeg.recode(handle, arena.allocateFrom(ValueLayout.JAVA_BYTE, file), interval);
    }
    if (recoded.length == 0) {
      throw new BadDataException(
          "the JPEG file cannot be coded anew: " + TurboJpeg.message(handle));
    }
    return recoded;
  }

  @Override
  public void close() {
    TurboJpeg.destroy(handle);
    decoder.close();
    before.close();
    after.close();
  }
}
