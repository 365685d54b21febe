package dev.forebay.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Large native memory in whole pages, which the operating system clears when they are first
 * touched. An arena's own allocation clears all of it at once, in the calling thread, before any of
 * it is used. Thread-safe.
 *
 * <p>On 64-bit Linux by {@code mmap}; elsewhere, or where native access is denied, from the arena.
 */
public final class Pages {
  private static final long PAGE_BYTES = 4096;
  private static final int READ_WRITE = 3;
  private static final int PRIVATE_ANONYMOUS = 0x22;
  private static final int NO_FILE = -1;

  /* Design: static final handles, so that the JIT sees constants; null where there is no such call. */
  private static final @Nullable MethodHandle MAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final @Nullable MethodHandle UNMAP =
      handle("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

  private Pages() {}

  @SuppressWarnings("restricted") // the one place where these calls are bound
  private static @Nullable MethodHandle handle(String name, FunctionDescriptor descriptor) {
    boolean isKnown =
        "Linux".equals(System.getProperty("os.name"))
            && Set.of("amd64", "x86_64", "aarch64").contains(System.getProperty("os.arch"));
    try {
      Linker linker = Linker.nativeLinker();
      return isKnown
          ? linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor)
          : null;
    } catch (IllegalCallerException | NoSuchElementException absent) {
      return null;
    }
  }

  /**
   * Memory that holds zeros and begins at a page; it lives as long as the arena, which frees it.
   *
   * @param bytes at least 1
   * @throws OutOfMemoryError if there is none
   */
  public static MemorySegment allocate(Arena arena, long bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes=" + bytes + " must be >= 1");
    }
    return MAP == null || UNMAP == null
        ? arena.allocate(bytes, PAGE_BYTES)
        : map(MAP, UNMAP, arena, bytes);
  }

  @SuppressWarnings("restricted") // the mapping has just the size that was asked for
  private static MemorySegment map(MethodHandle map, MethodHandle unmap, Arena arena, long bytes) {
    long address;
    try {
      address = (long) map.invokeExact(0L, bytes, READ_WRITE, PRIVATE_ANONYMOUS, NO_FILE, 0L);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
    if (address == -1) {
      throw new OutOfMemoryError("the operating system gives no " + bytes + " bytes");
    }
    return MemorySegment.ofAddress(address)
        .reinterpret(bytes, arena, mapping -> unmap(unmap, mapping.address(), bytes));
  }

  private static void unmap(MethodHandle unmap, long address, long bytes) {
    int result;
    try {
      result = (int) unmap.invokeExact(address, bytes);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
    if (result != 0) {
      throw new IllegalStateException("munmap of " + bytes + " bytes failed");
    }
  }

  private static IllegalStateException unexpected(Throwable failure) {
    return new IllegalStateException("a call into the C library failed: " + failure, failure);
  }
}
