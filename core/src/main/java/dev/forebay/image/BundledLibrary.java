package dev.forebay.image;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds native libraries: in this jar, in a file, or among the system's. Thread-safe. */
final class BundledLibrary {
  private BundledLibrary() {}

  /** Whether this system is one whose C types we know: a C long has 32 bits on others. */
  static boolean isSystemKnown() {
    String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    return os.contains("linux") || os.contains("mac");
  }

  /**
   * Opens the library that this jar holds for this system.
   *
   * @param name without prefix and suffix, such as "turbojpeg"
   * @param tried receives what went wrong
   * @return null if there is none that can be loaded
   */
  static @Nullable SymbolLookup open(String name, List<String> tried) {
    String arch = System.getProperty("os.arch", "").replace("amd64", "x86_64");
    for (String build : List.of("linux-" + arch, "linux-musl-" + arch)) {
      String resource = "native/" + build + "/lib" + name + ".so";
      try (InputStream bytes = BundledLibrary.class.getResourceAsStream(resource)) {
        SymbolLookup library = bytes == null ? null : openExtracted(name, bytes, tried);
        if (library != null) {
          return library;
        }
      } catch (IOException unwritable) {
        tried.add(resource + ": " + unwritable.getMessage());
      }
    }
    return null;
  }

  /** The loader keeps the file's content, so nothing of it stays on the disk. */
  private static @Nullable SymbolLookup openExtracted(
      String name, InputStream bytes, List<String> tried) throws IOException {
    Path file = Files.createTempFile("forebay-" + name + "-", ".so");
    try {
      Files.copy(bytes, file, StandardCopyOption.REPLACE_EXISTING);
      return openFile(file, tried);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Opens a library by its path. */
  @SuppressWarnings("restricted") // the one place where libraries are loaded
  static @Nullable SymbolLookup openFile(Path file, List<String> tried) {
    try {
      return SymbolLookup.libraryLookup(file, Arena.global());
    } catch (IllegalArgumentException | IllegalCallerException absent) {
      tried.add(file + ": " + absent.getMessage());
      return null;
    }
  }

  /** Opens a library that the system finds by its name. */
  @SuppressWarnings("restricted") // the one place where libraries are loaded
  static @Nullable SymbolLookup openNamed(String name, List<String> tried) {
    try {
      return SymbolLookup.libraryLookup(name, Arena.global());
    } catch (IllegalArgumentException | IllegalCallerException absent) {
      tried.add(name + ": " + absent.getMessage());
      return null;
    }
  }
}
