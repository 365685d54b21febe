package dev.forebay.bench;

import dev.forebay.cli.console.ProgressLine;
import dev.forebay.cli.pack.JpegPacking;
import dev.forebay.error.ConfigurationException;
import dev.forebay.transform.Randomness;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the workloads are loaded from; made when it is needed, and kept. Used by one thread. */
final class BenchData {
  private static final int TOKENS = 100_000_000;
  private static final int FILES_PER_FOLDER = 1000;
  private static final int FILE_BYTES = 4096;

  private final Path root;
  private final @Nullable Path photos;
  private final int photoCount;
  private final int fileCount;
  private final ProgressLine progress;
  private final BooleanSupplier isEnding;

  /**
   * Data below a folder.
   *
   * @param photos the user's own pictures; null makes some
   */
  BenchData(
      Path root,
      @Nullable Path photos,
      int photoCount,
      int fileCount,
      ProgressLine progress,
      BooleanSupplier isEnding) {
    this.root = root;
    this.photos = photos;
    this.photoCount = photoCount;
    this.fileCount = fileCount;
    this.progress = progress;
    this.isEnding = isEnding;
  }

  /** Where data is kept if nobody says otherwise. */
  static Path defaultRoot() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path home = Path.of(Objects.requireNonNullElse(System.getProperty("user.home"), "."));
    Path base = cache == null || cache.isEmpty() ? home.resolve(".cache") : Path.of(cache);
    return base.resolve("forebay").resolve("bench");
  }

  /** The place of a workload's data, which is there when this returns. */
  Path of(Workload workload) throws IOException, InterruptedException {
    return switch (workload.data()) {
      case PHOTOS -> photos();
      case RESTART_PHOTOS -> restartPhotos();
      case TOKENS -> tokens();
      case SMALL_FILES -> smallFiles();
      case NONE -> root;
    };
  }

  private Path photos() throws IOException, InterruptedException {
    if (photos != null) {
      if (!Files.isDirectory(photos)) {
        throw new ConfigurationException(photos + " is not a folder");
      }
      return photos;
    }
    Path made = root.resolve("photos-" + photoCount);
    Path done = root.resolve("photos-" + photoCount + ".done");
    if (!Files.exists(done)) {
      makePhotos(made);
      Files.createFile(done);
    }
    return made;
  }

  private void makePhotos(Path made) throws IOException, InterruptedException {
    int threads = Runtime.getRuntime().availableProcessors();
    List<Future<?>> tasks = new ArrayList<>();
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < photoCount; i++) {
        int number = i;
        tasks.add(
            executor.submit(
                () -> {
                  if (!isEnding.getAsBoolean()) {
                    PhotoMaker.write(made, number);
                  }
                  return null;
                }));
      }
      for (int i = 0; i < tasks.size(); i++) {
        int soFar = i;
        tasks.get(i).get();
        progress.update(
            () ->
                String.format(
                    Locale.ROOT, "making photos in %s: %,d of %,d", made, soFar, photoCount));
      }
    } catch (ExecutionException e) {
      throw new IOException("photos cannot be made in " + made + ": " + e.getCause(), e);
    }
    if (isEnding.getAsBoolean()) {
      throw new InterruptedException("stopped while photos were made");
    }
  }

  private Path restartPhotos() throws IOException, InterruptedException {
    Path source = photos();
    Path packed = root.resolve("restart-" + Integer.toHexString(source.toString().hashCode()));
    int threads = Runtime.getRuntime().availableProcessors();
    new JpegPacking(source, packed, 1, progress, isEnding).run(threads);
    return packed;
  }

  /** Random numbers: what a token is plays no part. */
  private Path tokens() throws IOException {
    Path file = root.resolve("tokens.bin");
    long bytes = 2L * TOKENS;
    if (Files.exists(file) && Files.size(file) == bytes) {
      return file;
    }
    Files.createDirectories(root);
    byte[] content = new byte[2 * TOKENS];
    Randomness random = new Randomness();
    random.startSample(7, 0, 0);
    for (int i = 0; i < content.length; i += Long.BYTES) {
      long bits = random.nextLong();
      for (int j = 0; j < Long.BYTES; j++) {
        content[i + j] = (byte) (bits >>> (8 * j));
      }
    }
    Files.write(file, content);
    return file;
  }

  private Path smallFiles() throws IOException {
    Path folder = root.resolve("files-" + fileCount);
    Path done = root.resolve("files-" + fileCount + ".done");
    if (Files.exists(done)) {
      return folder;
    }
    byte[] content = new byte[FILE_BYTES];
    for (int i = 0; i < fileCount; i++) {
      Path inside = folder.resolve("part-%04d".formatted(i / FILES_PER_FOLDER));
      Files.createDirectories(inside);
      content[0] = (byte) i;
      Files.write(inside.resolve("file-%06d.bin".formatted(i)), content);
      int soFar = i;
      progress.update(
          () -> String.format(Locale.ROOT, "making files: %,d of %,d", soFar, fileCount));
    }
    Files.createFile(done);
    return folder;
  }

  /** Reads everything once, so that it lies in the page cache; or drops it. */
  static void prepare(Workload workload, Path data) throws IOException {
    if (workload == Workload.FILES_COLD) {
      PageCache.drop(data);
      return;
    }
    if (!Files.isDirectory(data) || workload.data() == Workload.Data.NONE) {
      return;
    }
    readAll(data);
  }

  /** Reads all files below a folder, so that they lie in the page cache. */
  static void readAll(Path data) throws IOException {
    byte[] buffer = new byte[1 << 20];
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        try (InputStream content = Files.newInputStream(file)) {
          while (content.read(buffer) >= 0) {
            // read for the cache's sake
          }
        }
      }
    }
  }
}
