package dev.forebay.bench;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Drops files from the page cache, as far as the system follows: their content, not the names and
 * attributes that the kernel keeps besides. Linux only; stateless.
 */
final class PageCache {
  private static final int DONT_NEED = 4;
  private static final int O_RDONLY = 0;

  private PageCache() {}

  /** Drops all files below a folder. */
  @SuppressWarnings("restricted") // two calls of the C library
  static void drop(Path root) throws IOException {
    Linker linker = Linker.nativeLinker();
    MethodHandle open =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("open"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    MethodHandle advise =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("posix_fadvise"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT));
    MethodHandle close =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("close"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment path = arena.allocateFrom(file.toString());
        int descriptor = (int) open.invokeExact(path, O_RDONLY);
        if (descriptor >= 0) {
          int advised = (int) advise.invokeExact(descriptor, 0L, 0L, DONT_NEED);
          int closed = (int) close.invokeExact(descriptor);
          if (advised != 0 || closed != 0) {
            throw new IOException(file + " cannot be dropped from the page cache");
          }
        }
      } catch (IOException e) {
        throw e;
      } catch (Throwable failure) {
        throw new IllegalStateException(failure);
      }
    }
  }
}
