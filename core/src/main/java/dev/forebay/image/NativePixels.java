package dev.forebay.image;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The calls into Forebay's own native library, {@code src/main/c/pixels.c}. Looked for in the file
 * that {@code FOREBAY_LIBPIXELS} names ("none" does without), and in this jar. Thread-safe.
 *
 * <p>Where {@link #isAvailable()} is false, no other method may be called.
 */
final class NativePixels {
  /** The version of {@link KernelJob}; the library must have the same. */
  private static final int ABI_VERSION = 2;

  private static final System.Logger LOG = System.getLogger("dev.forebay");

  /* Design: handles are static and final so that the JIT sees constants. */
  private static final List<String> TRIED = new ArrayList<>();
  private static final @Nullable SymbolLookup LIBRARY = findLibrary();
  private static final MethodHandle ABI =
      handle("forebay_pixels_abi", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle BEST =
      handle("forebay_pixels_best", FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle RUN =
      handle("forebay_pixels", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));
  private static final MethodHandle CUT =
      handle(
          "forebay_cut_restarts",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
              JAVA_LONG, JAVA_LONG));
  private static final boolean AVAILABLE = LIBRARY != null && isSameVersion();
  private static final int BEST_SET = AVAILABLE ? call(BEST) : 0;

  private NativePixels() {}

  private static @Nullable SymbolLookup findLibrary() {
    String named = System.getenv("FOREBAY_LIBPIXELS");
    if (named == null || named.isEmpty()) {
      return BundledLibrary.isSystemKnown() ? BundledLibrary.open("forebay", TRIED) : null;
    }
    SymbolLookup library =
        named.equals("none") ? null : BundledLibrary.openFile(Path.of(named), TRIED);
    if (library == null && !named.equals("none")) {
      LOG.log(System.Logger.Level.WARNING, "FOREBAY_LIBPIXELS cannot be used: {0}", TRIED);
    }
    return library;
  }

  @SuppressWarnings("restricted") // the one place where this library is bound
  private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
    if (LIBRARY != null) {
      try {
        return Linker.nativeLinker().downcallHandle(LIBRARY.findOrThrow(name), descriptor);
      } catch (NoSuchElementException | IllegalCallerException absent) {
        TRIED.add(name + ": " + absent.getMessage());
      }
    }
    return MethodHandles.empty(descriptor.toMethodType());
  }

  private static boolean isSameVersion() {
    int version = call(ABI);
    if (version != ABI_VERSION) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the native pixel library has version {0}, not {1}, and is not used; {2}",
          version,
          ABI_VERSION,
          TRIED);
    }
    return version == ABI_VERSION;
  }

  private static int call(MethodHandle handle) {
    try {
      return (int) handle.invokeExact();
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** True if the library was found. */
  static boolean isAvailable() {
    return AVAILABLE;
  }

  /** The best instruction set of this processor: 0 plain, 1 AVX2, 2 AVX-512. */
  static int bestSet() {
    return BEST_SET;
  }

  /** Does the job at that address, see {@link KernelJob}, with an instruction set. */
  static void run(long job, int set) {
    try {
      RUN.invokeExact(job, set);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /**
   * Copies the segments of a rectangle out of entropy-coded data with restart markers, and numbers
   * the markers anew; see {@code src/main/c/restart.h}.
   *
   * @param perRow segments in a row of the picture
   * @param area the rectangle, in rows and in segments of a row
   * @return how many bytes were written; -1 if that cannot be done
   */
  static long cutRestarts(
      long scan, long bytes, int perRow, RestartCut.Area area, long into, long capacity) {
    try {
      return (long)
          CUT.invokeExact(
              scan,
              bytes,
              perRow,
              area.top(),
              area.bottom(),
              area.left(),
              area.right(),
              into,
              capacity);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  private static IllegalStateException unexpected(Throwable failure) {
    return new IllegalStateException("a call into the pixel library failed: " + failure, failure);
  }
}
