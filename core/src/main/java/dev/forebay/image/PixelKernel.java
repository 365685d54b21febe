package dev.forebay.image;

import java.lang.foreign.MemorySegment;

/**
 * Does one pass over pixels: scales, mirrors, and puts them into their final type and layout. All
 * kernels give the same bits. Confined to one worker, which closes it.
 */
sealed interface PixelKernel extends AutoCloseable permits NativeKernel, HeapKernel {
  /**
   * Fills {@code into} from {@code at} on.
   *
   * @param source the pixels that {@code across} and {@code down} need, no more
   */
  void run(
      Raster source,
      Coefficients across,
      Coefficients down,
      boolean isMirrored,
      MemorySegment into,
      long at);

  @Override
  void close();
}
