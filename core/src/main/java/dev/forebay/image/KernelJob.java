package dev.forebay.image;

/**
 * The layout of {@code struct job} in {@code src/main/c/pixels.c}, native byte order.
 *
 * <pre>
 *   0 source   8 x_first   16 x_weights   24 y_first   32 y_weights
 *  40 table   48 scratch   56 line        64 out       72 row_bytes
 *  80 source_rows   84 source_columns   88 height   92 width
 *  96 x_taps       100 y_taps          104 is_mirrored   108 is_planar   112 element
 * </pre>
 */
final class KernelJob {
  static final long SOURCE = 0;
  static final long X_FIRST = 8;
  static final long X_WEIGHTS = 16;
  static final long Y_FIRST = 24;
  static final long Y_WEIGHTS = 32;
  static final long TABLE = 40;
  static final long SCRATCH = 48;
  static final long LINE = 56;
  static final long OUT = 64;
  static final long ROW_BYTES = 72;
  static final long SOURCE_ROWS = 80;
  static final long SOURCE_COLUMNS = 84;
  static final long HEIGHT = 88;
  static final long WIDTH = 92;
  static final long X_TAPS = 96;
  static final long Y_TAPS = 100;
  static final long IS_MIRRORED = 104;
  static final long IS_PLANAR = 108;
  static final long ELEMENT = 112;
  static final long BYTES = 120;

  static final int ELEMENT_BYTE = 0;
  static final int ELEMENT_HALF = 1;
  static final int ELEMENT_FLOAT = 2;

  /** Rows that the library narrows at once, at most. */
  static final int ROWS_MAX = 4;

  private static final long LINE_PADDING_BYTES = 64;

  private KernelJob() {}

  /** The bytes of a row of three channels in scratch memory, as the library counts them. */
  static long lineBytes(long width) {
    return (3 * width + 2 * LINE_PADDING_BYTES - 1) / LINE_PADDING_BYTES * LINE_PADDING_BYTES;
  }
}
