package dev.forebay.image;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The calls into libjpeg-turbo's TurboJPEG API, version 2 or later, that decoding needs. Looked for
 * in the file that {@code FOREBAY_LIBTURBOJPEG} names, in this jar, and among the system's
 * libraries. Thread-safe; a decompressor's handle is confined to one thread at a time.
 *
 * <p>Addresses are passed as plain numbers, so the caller keeps the memory alive during a call.
 * Where {@link #isAvailable()} is false, no other method may be called.
 */
final class TurboJpeg {
  /** Pixel formats of the API. */
  static final int RGB = 0;

  static final int GRAY = 6;
  static final int CMYK = 11;

  /** Colour spaces of a JPEG file, as {@link #header} reports them. */
  static final int SPACE_GRAY = 2;

  static final int SPACE_CMYK = 3;
  static final int SPACE_YCCK = 4;

  /** Places of the numbers that {@link #header} writes. */
  static final long HEADER_WIDTH = 0;

  static final long HEADER_HEIGHT = 4;
  static final long HEADER_SUBSAMPLING = 8;
  static final long HEADER_SPACE = 12;
  static final long HEADER_BYTES = 16;

  /** Refuses files with more than 500 scans, which are made to keep a decoder busy. */
  private static final int LIMIT_SCANS = 32768;

  /** The same limit as a parameter of version 3. */
  private static final int SCAN_LIMIT = 13;

  private static final int SCANS_MAX = 500;

  /** MCUs between restart markers, a parameter of version 3. */
  private static final int RESTART_BLOCKS = 18;

  private static final int TRANSFORMER = 2;

  /** A transform's layout: a region, an operation, options, two pointers. */
  private static final long TRANSFORM_BYTES = 40;

  private static final long TRANSFORM_OPTIONS = 20;

  /** Option of a transform: make Huffman tables for just this file. */
  private static final int OPTIMIZE = 256;

  /** The bytes of a region: its left column, top row, width and height, as ints. */
  static final long REGION_BYTES = 16;

  /** The bytes of a factor: numerator and denominator, as ints. */
  static final long FACTOR_BYTES = 8;

  private static final int ERROR_WARNING = 0;
  private static final long MESSAGE_BYTES_MAX = 200;
  private static final System.Logger LOG = System.getLogger("dev.forebay");

  /* Design: as in storage's Libc, handles are static and final so that the JIT sees constants. */
  private static final @Nullable SymbolLookup LIBRARY = findLibrary();
  private static final List<String> MISSING = new ArrayList<>();
  private static final MethodHandle INIT =
      handle("tjInitDecompress", FunctionDescriptor.of(JAVA_LONG));
  private static final MethodHandle DESTROY =
      handle("tjDestroy", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  private static final MethodHandle HEADER =
      handle(
          "tjDecompressHeader3",
          FunctionDescriptor.of(
              JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG,
              JAVA_LONG));
  private static final MethodHandle DECOMPRESS =
      handle(
          "tjDecompress2",
          FunctionDescriptor.of(
              JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT,
              JAVA_INT, JAVA_INT));
  private static final MethodHandle ERROR_CODE =
      handle("tjGetErrorCode", FunctionDescriptor.of(JAVA_INT, JAVA_LONG));
  private static final MethodHandle ERROR_TEXT =
      handle("tjGetErrorStr2", FunctionDescriptor.of(ADDRESS, JAVA_LONG));
  private static final boolean AVAILABLE = LIBRARY != null && MISSING.isEmpty();

  /* What only version 3 has. */
  private static final MemoryLayout REGION =
      MemoryLayout.structLayout(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT);
  private static final MethodHandle SET =
      handle("tj3Set", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT));
  private static final MethodHandle SET_REGION =
      handle("tj3SetCroppingRegion", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, REGION));
  private static final MethodHandle DECOMPRESS_REGION =
      handle(
          "tj3Decompress8",
          FunctionDescriptor.of(
              JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT));
  private static final MemoryLayout FACTOR = MemoryLayout.structLayout(JAVA_INT, JAVA_INT);
  private static final MethodHandle SET_FACTOR =
      handle("tj3SetScalingFactor", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, FACTOR));
  private static final MethodHandle INIT_ANY =
      handle("tj3Init", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));
  private static final MethodHandle TRANSFORM =
      handle(
          "tj3Transform",
          FunctionDescriptor.of(
              JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG,
              JAVA_LONG));
  private static final MethodHandle FREE = handle("tj3Free", FunctionDescriptor.ofVoid(JAVA_LONG));
  private static final boolean CAN_CROP = AVAILABLE && MISSING.isEmpty();

  private TurboJpeg() {}

  private static @Nullable SymbolLookup findLibrary() {
    if (!BundledLibrary.isSystemKnown()) {
      return null;
    }
    List<String> tried = new ArrayList<>();
    String named = System.getenv("FOREBAY_LIBTURBOJPEG");
    if (named != null && !named.isEmpty()) {
      SymbolLookup library = BundledLibrary.openFile(Path.of(named), tried);
      if (library == null) {
        LOG.log(System.Logger.Level.WARNING, "FOREBAY_LIBTURBOJPEG cannot be used: {0}", tried);
      }
      return library;
    }
    SymbolLookup library = BundledLibrary.open("turbojpeg", tried);
    if (library != null) {
      return library;
    }
    for (String name :
        List.of(
            "libturbojpeg.so.0", "libturbojpeg.dylib", "/opt/homebrew/lib/libturbojpeg.dylib")) {
      library = BundledLibrary.openNamed(name, tried);
      if (library != null) {
        return library;
      }
    }
    LOG.log(System.Logger.Level.DEBUG, "no libjpeg-turbo: {0}", tried);
    return null;
  }

  @SuppressWarnings("restricted") // the one place where this library is bound
  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    if (LIBRARY != null) {
      try {
        return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(name), descriptor);
      } catch (NoSuchElementException | IllegalCallerException absent) {
        MISSING.add(name + ": " + absent.getMessage());
      }
    }
    return MethodHandles.empty(descriptor.toMethodType());
  }

  /** True if the library was found and has every call. */
  static boolean isAvailable() {
    return AVAILABLE;
  }

  /** Makes a decompressor; 0 if there is no memory for it. */
  static long init() {
    try {
      return (long) INIT.invokeExact();
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  static void destroy(long handle) {
    try {
      int ignored = (int) DESTROY.invokeExact(handle);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** Reads a file's header into {@code into}, see the places above; 0 if that went well. */
  static int header(long handle, long bytes, long length, long into) {
    try {
      return (int)
          HEADER.invokeExact(
              handle,
              bytes,
              length,
              into + HEADER_WIDTH,
              into + HEADER_HEIGHT,
              into + HEADER_SUBSAMPLING,
              into + HEADER_SPACE);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /**
   * Decodes with the accurate integer transform and smooth chroma upsampling; 0 if that went well.
   */
  static int decompress(
      long handle, long bytes, long length, long into, int width, int height, int format) {
    try {
      return (int)
          DECOMPRESS.invokeExact(
              handle, bytes, length, into, width, 0, height, format, LIMIT_SCANS);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** True if the library can decode a part of an image. */
  static boolean canCrop() {
    return CAN_CROP;
  }

  /** Makes {@link #decompressRegion} refuse files with more scans than any honest one has. */
  static void limitScans(long handle) {
    try {
      int ignored = (int) SET.invokeExact(handle, SCAN_LIMIT, SCANS_MAX);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /**
   * Says which part of the image, whose header was read, the next calls decode; all zeros for all
   * of it. 0 if that went well. The left column is a multiple of the file's MCU width.
   */
  static int setRegion(long handle, MemorySegment region) {
    try {
      return (int) SET_REGION.invokeExact(handle, region);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** Says at which size the next calls decode; 0 if that went well. */
  static int setFactor(long handle, MemorySegment factor) {
    try {
      return (int) SET_FACTOR.invokeExact(handle, factor);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** As {@link #decompress}, for the region that was set. */
  static int decompressRegion(
      long handle, long bytes, long length, long into, int rowBytes, int format) {
    try {
      return (int) DECOMPRESS_REGION.invokeExact(handle, bytes, length, into, rowBytes, format);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** Makes a transformer, for {@link #recode}; 0 if there is no memory for it. */
  static long initTransformer() {
    try {
      return (long) INIT_ANY.invokeExact(TRANSFORMER);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /**
   * Codes the coefficients of a file anew: sequential, a restart marker behind every {@code
   * interval} MCUs, Huffman tables of its own.
   *
   * @return the new file, or empty if that failed
   */
  @SuppressWarnings("restricted") // the library says how long its result is
  static byte[] recode(long handle, MemorySegment file, int interval) {
    try (Arena arena = Arena.ofConfined()) {
      int isSet = (int) SET.invokeExact(handle, RESTART_BLOCKS, interval);
      MemorySegment transform = arena.allocate(TRANSFORM_BYTES, Long.BYTES);
      transform.set(JAVA_INT, TRANSFORM_OPTIONS, OPTIMIZE);
      MemorySegment result = arena.allocate(2L * Long.BYTES, Long.BYTES);
      int failed =
          isSet != 0
              ? isSet
              : (int)
                  TRANSFORM.invokeExact(
                      handle,
                      file.address(),
                      file.byteSize(),
                      1,
                      result.address(),
                      result.address() + Long.BYTES,
                      transform.address());
      long address = result.get(JAVA_LONG, 0);
      byte[] bytes = new byte[0];
      if (failed == 0) {
        long length = result.get(JAVA_LONG, Long.BYTES);
        bytes = MemorySegment.ofAddress(address).reinterpret(length).toArray(JAVA_BYTE);
      }
      FREE.invokeExact(address);
      return bytes;
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** True if the last failure left a complete image, though the file was not quite in order. */
  static boolean isWarning(long handle) {
    try {
      return (int) ERROR_CODE.invokeExact(handle) == ERROR_WARNING;
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** What the last failure was. */
  @SuppressWarnings("restricted") // the library's text ends within the bound
  static String message(long handle) {
    try {
      MemorySegment text = (MemorySegment) ERROR_TEXT.invokeExact(handle);
      return text.reinterpret(MESSAGE_BYTES_MAX).getString(0);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  private static IllegalStateException unexpected(Throwable failure) {
    return new IllegalStateException("a call into libjpeg-turbo failed: " + failure, failure);
  }
}
