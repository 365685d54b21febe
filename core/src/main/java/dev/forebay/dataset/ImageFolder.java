package dev.forebay.dataset;

import dev.forebay.error.ConfigurationException;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.stats.Ticker;
import dev.forebay.storage.DirectoryReader;
import dev.forebay.storage.ObjectRange;
import dev.forebay.transform.Sample;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The images of a folder that has one folder per class: {@code root/cat/1.jpg}, {@code
 * root/dog/old/2.png}. Immutable and thread-safe.
 *
 * <p>A sample has two fields: {@code image}, the encoded bytes of the file, and {@code label}, an
 * {@code int64} scalar, the number of its class. Classes, samples and their order are those of
 * torchvision's {@code ImageFolder}: classes are the directories of the root in the order of their
 * names; a class has the files at any depth whose names end with one of {@link #EXTENSIONS}, in any
 * ASCII case, ordered by the directory's path and the file's name; symbolic links are followed;
 * hidden files and directories count; files in the root do not. Names sort by code point, as in
 * Python. Unlike there, a directory that cannot be read and a symbolic link that leads back to a
 * directory above it are errors.
 *
 * <p>The index of all files lies in native memory, about 25 bytes a file, and is saved in the
 * user's cache directory. It is used again as long as no directory has changed: a file that is
 * added, removed or renamed changes its directory, one that is overwritten in place does not, and
 * neither changes the fingerprint, which covers class names, paths and labels, but not the content
 * of files.
 *
 * {@snippet :
 * try (ImageFolder train = ImageFolder.open(Path.of("/data/train"));
 *     DataLoader loader = DataLoader.builder(train).batchSize(64).shuffle(true).build()) {
 * }
 * }
 */
public final class ImageFolder implements Dataset {
  /** What the names of images end with: the list of torchvision. */
  public static final Set<String> EXTENSIONS =
      Set.of(".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp");

  private static final Schema SCHEMA =
      Schema.of(Field.bytes("image"), Field.scalar("label", DType.INT64));
  private static final int IMAGE = 0;
  private static final int LABEL = 1;
  private static final int NAMES_SHOWN_MAX = 10;

  private final byte[] root;
  private final MemorySegment rootMemory;
  private final FolderIndex index;
  private final List<String> classes;
  private final String fingerprint;

  private ImageFolder(byte[] root, FolderIndex index) {
    this.root = root;
    this.rootMemory = MemorySegment.ofArray(root);
    this.index = index;
    this.classes = classNames(index);
    Digest digest = new Digest("images");
    index.addTo(digest);
    this.fingerprint = digest.fingerprint();
  }

  /** The images below {@code root}; see {@link Builder#open}. */
  public static ImageFolder open(Path root) {
    return builder(root).open();
  }

  /** Begins the description of an image folder. */
  public static Builder builder(Path root) {
    return new Builder(root);
  }

  private static List<String> classNames(FolderIndex index) {
    List<String> names = new ArrayList<>(index.classes());
    for (long directory = 1; directory < index.directories(); directory++) {
      if (index.isClass(directory)) {
        String path = FileName.text(index.path(directory));
        names.add(path.substring(0, path.length() - 1));
      }
    }
    return List.copyOf(names);
  }

  /** The classes; a label is an index into this list. Bytes that are not UTF-8 show as \xNN. */
  public List<String> classes() {
    return classes;
  }

  /** The number of a sample's class. */
  public int label(long id) {
    return index.label(index.directoryOf(Objects.checkIndex(id, size())));
  }

  /**
   * The file of a sample.
   *
   * @throws IllegalStateException if its name is not UTF-8, which a {@link Path} cannot express;
   *     the loader reads such files nevertheless
   */
  public Path path(long id) {
    byte[] name = absolutePath(id);
    if (!FileName.isUtf8(name)) {
      throw new IllegalStateException(
          "the name of sample " + id + " is not UTF-8: " + FileName.text(name) + "; rename it");
    }
    return Path.of(new String(name, StandardCharsets.UTF_8));
  }

  private byte[] absolutePath(long id) {
    return joined(root, index.pathOf(Objects.checkIndex(id, size())));
  }

  private static byte[] joined(byte[] folder, byte[] name) {
    byte[] path = new byte[folder.length + name.length];
    System.arraycopy(folder, 0, path, 0, folder.length);
    System.arraycopy(name, 0, path, folder.length, name.length);
    return path;
  }

  @Override
  public long size() {
    return index.files();
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public int storedField() {
    return IMAGE;
  }

  @Override
  public void locate(long id, ObjectRange range) {
    Objects.checkIndex(id, size());
    range.set(rootMemory, 0, root.length, 0, ObjectRange.TO_END);
    index.appendPath(id, range);
  }

  @Override
  public void load(long id, Sample sample) {
    sample.value(LABEL).setLong(label(id));
  }

  @Override
  public String describe(long id) {
    return FileName.text(absolutePath(id));
  }

  @Override
  public void close() {
    index.close();
  }

  /** Describes an image folder. Every setting has a default but the root. Not thread-safe. */
  public static final class Builder {
    private final Path root;
    private boolean allowEmpty;
    private Set<String> extensions = EXTENSIONS;
    private boolean isIndexSaved = true;
    private @Nullable Path indexFile;
    private Consumer<String> progress = _ -> {};
    private InstantSource clock = InstantSource.system();

    private Builder(Path root) {
      this.root = Objects.requireNonNull(root, "root").toAbsolutePath();
    }

    /** Whether a class may have no image; default false: an error that names it. */
    public Builder allowEmpty(boolean allowEmpty) {
      this.allowEmpty = allowEmpty;
      return this;
    }

    /** What the names of images end with, in any ASCII case; default {@link #EXTENSIONS}. */
    public Builder extensions(Set<String> extensions) {
      if (extensions.isEmpty()) {
        throw new IllegalArgumentException("extensions must not be empty");
      }
      this.extensions = Set.copyOf(extensions);
      return this;
    }

    /**
     * Where the index is kept; null for the default: {@code $XDG_CACHE_HOME/forebay/index} or
     * {@code ~/.cache/forebay/index}, in a file named after a hash of root and extensions.
     */
    public Builder index(@Nullable Path file) {
      this.isIndexSaved = true;
      this.indexFile = file;
      return this;
    }

    /** Neither reads nor writes an index: the folder is scanned. */
    public Builder withoutIndex() {
      this.isIndexSaved = false;
      return this;
    }

    /**
     * Takes a line of text about once a second while the folder is scanned, and one at the end.
     * Called from several threads, one at a time.
     */
    public Builder progress(Consumer<String> progress) {
      this.progress = Objects.requireNonNull(progress, "progress");
      return this;
    }

    /** Tells which directories have settled; for tests. */
    Builder clock(InstantSource clock) {
      this.clock = clock;
      return this;
    }

    /**
     * Indexes the folder, or reads its index; must be closed.
     *
     * @throws ConfigurationException if the root is missing or has no folder, if a class has no
     *     image and may not be empty, if symbolic links form a loop, or if a directory cannot be
     *     read
     */
    public ImageFolder open() {
      byte[] path = rootPath();
      DirectoryReader reader = DirectoryReader.local();
      checkRoot(reader, path);
      FolderIndex index;
      try {
        index = loadOrScan(reader, path);
      } catch (IOException failure) {
        throw new ConfigurationException(
            "root=" + root + " cannot be indexed: " + failure.getMessage(), failure);
      }
      try {
        checkClasses(index);
        return new ImageFolder(path, index);
      } catch (Throwable failure) {
        index.close();
        throw failure;
      }
    }

    /** With a slash at its end. */
    private byte[] rootPath() {
      String text = root.toString();
      return (text.endsWith("/") ? text : text + "/").getBytes(StandardCharsets.UTF_8);
    }

    private void checkRoot(DirectoryReader reader, byte[] path) {
      try {
        if (reader.status(path).isDirectory()) {
          return;
        }
      } catch (IOException failure) {
        throw new ConfigurationException(
            "root=" + root + " cannot be opened as a folder: " + failure.getMessage(), failure);
      }
      throw new ConfigurationException("root=" + root + " is not a folder");
    }

    private FolderIndex loadOrScan(DirectoryReader reader, byte[] path) throws IOException {
      ScanProgress reports = new ScanProgress(root.toString(), progress, Ticker.SYSTEM);
      Set<String> suffixes = new TreeSet<>();
      extensions.forEach(extension -> suffixes.add(extension.toLowerCase(Locale.ROOT)));
      IndexFile file = isIndexSaved ? indexFile(suffixes) : null;
      FolderIndex saved = file == null ? null : file.load(reader, path);
      if (saved != null) {
        reports.reused(saved);
        return saved;
      }
      Instant start = clock.instant();
      List<byte[]> endings = new ArrayList<>();
      suffixes.forEach(suffix -> endings.add(suffix.getBytes(StandardCharsets.UTF_8)));
      FolderIndex index = new FolderScan(reader, path, endings, reports).run();
      if (file != null) {
        file.save(index, start);
      }
      reports.scanned(index);
      return index;
    }

    private @Nullable IndexFile indexFile(Set<String> suffixes) {
      Digest digest = new Digest("index").text(root.toString());
      suffixes.forEach(digest::text);
      String name = digest.fingerprint();
      String key = name.substring(name.indexOf('-') + 1);
      Path file = indexFile;
      if (file == null) {
        file = IndexFile.defaultPath(key, System.getenv(), System.getProperty("user.home"));
      }
      return file == null ? null : new IndexFile(file, key, clock);
    }

    private void checkClasses(FolderIndex index) {
      if (index.classes() == 0) {
        throw new ConfigurationException(
            "found no class folder in root="
                + root
                + "; images belong in one folder per class,"
                + " such as "
                + root.resolve("cat/1.jpg"));
      }
      List<String> empty = allowEmpty ? List.of() : emptyClasses(index);
      if (!empty.isEmpty()) {
        List<String> shown = empty.subList(0, Math.min(empty.size(), NAMES_SHOWN_MAX));
        throw new ConfigurationException(
            "found no image in %d of the classes of root=%s: %s%s; supported extensions are %s;"
                    .formatted(
                        empty.size(),
                        root,
                        String.join(", ", shown),
                        shown.size() < empty.size() ? ", ..." : "",
                        String.join(", ", new TreeSet<>(extensions)))
                + " remove the empty folders, or allow them with allowEmpty(true)");
      }
    }

    private static List<String> emptyClasses(FolderIndex index) {
      List<String> names = classNames(index);
      long[] counts = new long[names.size()];
      for (long directory = 1; directory < index.directories(); directory++) {
        counts[index.label(directory)] += index.filesIn(directory);
      }
      List<String> empty = new ArrayList<>();
      for (int label = 0; label < counts.length; label++) {
        if (counts[label] == 0) {
          empty.add(names.get(label));
        }
      }
      return empty;
    }
  }
}
