package dev.forebay.djl.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A temporary folder that does not outlive the process: it is removed when it is closed, also by
 * Ctrl-C, and one that a killed process left is removed by the next. Thread-safe.
 */
final class PassingFolder implements AutoCloseable {
  private static final String PREFIX = "forebay-demo-";
  private static final int ATTEMPTS = 100;
  private static final long PAUSE_NANOS = 50_000_000;

  private final Path path;
  private final Thread hook;
  private volatile boolean isEnding;

  private PassingFolder(Path path) {
    this.path = path;
    this.hook = new Thread(this::end, "forebay-demo-cleaner");
  }

  static PassingFolder create() throws IOException {
    Path parent = Path.of(System.getProperty("java.io.tmpdir"));
    removeLeft(parent);
    String own = PREFIX + ProcessHandle.current().pid() + "-";
    PassingFolder folder = new PassingFolder(Files.createTempDirectory(parent, own));
    Runtime.getRuntime().addShutdownHook(folder.hook);
    return folder;
  }

  Path path() {
    return path;
  }

  /** True once the process ends: whoever still writes into the folder stops. */
  boolean isEnding() {
    return isEnding;
  }

  private static void removeLeft(Path parent) throws IOException {
    List<Path> left;
    try (Stream<Path> entries = Files.list(parent)) {
      left = entries.filter(PassingFolder::isLeft).toList();
    }
    for (Path folder : left) {
      remove(folder);
    }
  }

  private static boolean isLeft(Path folder) {
    String name = folder.getFileName().toString();
    int end = name.indexOf('-', PREFIX.length());
    if (!name.startsWith(PREFIX) || end < 0) {
      return false;
    }
    try {
      long pid = Long.parseLong(name.substring(PREFIX.length(), end));
      Optional<ProcessHandle> owner = ProcessHandle.of(pid);
      return owner.isEmpty() && Files.isWritable(folder);
    } catch (NumberFormatException foreign) {
      return false;
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> entries = Files.walk(folder)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(entry);
      }
    } catch (NoSuchFileException gone) {
      // Someone else removes it, too.
    }
  }

  /** Others may still be writing a last file: they stop when they see that all ends. */
  private void end() {
    isEnding = true;
    IOException failure = null;
    for (int attempt = 0; attempt < ATTEMPTS && Files.exists(path); attempt++) {
      try {
        remove(path);
      } catch (IOException | UncheckedIOException e) {
        failure = new IOException(path + " could not be removed", e);
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    if (failure != null && Files.exists(path)) {
      System.getLogger("dev.forebay").log(System.Logger.Level.WARNING, "", failure);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      remove(path);
    } finally {
      removeHook();
    }
  }

  private void removeHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      isEnding = true; // the hook runs already, and finds nothing to remove
    }
  }
}
