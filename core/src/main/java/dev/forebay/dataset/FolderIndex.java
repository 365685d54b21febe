package dev.forebay.dataset;

import dev.forebay.storage.ObjectRange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * All samples of a folder tree, compactly: for each a name and 4 bytes, for each directory 48 bytes
 * and its path. Immutable and thread-safe; finding a sample takes a binary search among the
 * directories and allocates nothing.
 *
 * <p>It is one piece of native memory, which {@link IndexFile} stores as it is. Numbers are
 * little-endian:
 *
 * <pre>
 *   0 i64 files F    8 i64 directories D    16 i64 bytes of paths    24 i64 bytes of names
 *  32 i32 classes   36 zero up to 64
 *  64 D directories: the root, then class by class, by path:
 *       0 i64 number of its first file      8 i64 where its names begin, within the names
 *      16 i64 where its path begins, within the paths
 *      24 i32 bytes of its path            28 i32 label, -1 for the root
 *      32 i64 modified, ns                 40 i64 changed, ns
 *   then F times u32: where the file's name ends, from where its directory's names begin
 *   then the paths, relative to the root, with a slash at the end; then the names
 * </pre>
 */
final class FolderIndex implements AutoCloseable {
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private static final long HEADER_BYTES = 64;
  private static final long FILES = 0;
  private static final long DIRECTORIES = 8;
  private static final long PATHS_BYTES = 16;
  private static final long NAMES_BYTES = 24;
  private static final long CLASSES = 32;

  private static final long DIRECTORY_BYTES = 48;
  private static final long FIRST_FILE = 0;
  private static final long FIRST_NAME = 8;
  private static final long PATH = 16;
  private static final long PATH_BYTES = 24;
  private static final long LABEL = 28;
  private static final long MODIFIED = 32;
  private static final long CHANGED = 40;

  private static final long END_BYTES = 4;

  private final Arena arena;
  private final MemorySegment memory;
  private final long files;
  private final long directories;
  private final long endsOffset;
  private final long pathsOffset;
  private final long namesOffset;

  /** Takes over {@code arena}, which holds {@code memory}. */
  private FolderIndex(Arena arena, MemorySegment memory) {
    this.arena = arena;
    this.memory = memory;
    this.files = memory.get(LONG, FILES);
    this.directories = memory.get(LONG, DIRECTORIES);
    this.endsOffset = HEADER_BYTES + directories * DIRECTORY_BYTES;
    this.pathsOffset = endsOffset + files * END_BYTES;
    this.namesOffset = pathsOffset + memory.get(LONG, PATHS_BYTES);
  }

  /**
   * The index in {@code memory}, whose arena it takes over.
   *
   * @throws IllegalArgumentException if the parts do not have the size of the whole; the arena then
   *     stays the caller's
   */
  static FolderIndex of(Arena arena, MemorySegment memory) {
    if (memory.byteSize() < HEADER_BYTES) {
      throw new IllegalArgumentException("the index is cut short");
    }
    FolderIndex index = new FolderIndex(arena, memory);
    if (index.namesOffset + memory.get(LONG, NAMES_BYTES) != memory.byteSize()) {
      throw new IllegalArgumentException("the parts of the index do not fit its size");
    }
    return index;
  }

  /**
   * The index of what a scan found.
   *
   * @param folders sorted: the root first, then by label and path
   */
  @SuppressWarnings("MustBeClosedChecker") // the index closes its arena
  static FolderIndex of(List<Folder> folders, int classes) {
    long files = 0;
    long paths = 0;
    long names = 0;
    for (Folder folder : folders) {
      files += folder.files().ends().length;
      paths += pathBytes(folder);
      names += folder.files().bytes().length;
    }
    long fixed = HEADER_BYTES + folders.size() * DIRECTORY_BYTES + files * END_BYTES;
    Arena arena = Arena.ofShared();
    MemorySegment memory = arena.allocate(fixed + paths + names, HEADER_BYTES);
    memory.set(LONG, FILES, files);
    memory.set(LONG, DIRECTORIES, folders.size());
    memory.set(LONG, PATHS_BYTES, paths);
    memory.set(LONG, NAMES_BYTES, names);
    memory.set(INT, CLASSES, classes);
    FolderIndex index = new FolderIndex(arena, memory);
    index.fill(folders);
    return index;
  }

  private void fill(List<Folder> folders) {
    long file = 0;
    long name = 0;
    long path = 0;
    long at = HEADER_BYTES;
    for (Folder folder : folders) {
      int pathBytes = pathBytes(folder);
      byte[] names = folder.files().bytes();
      int[] ends = folder.files().ends();
      memory.set(LONG, at + FIRST_FILE, file);
      memory.set(LONG, at + FIRST_NAME, name);
      memory.set(LONG, at + PATH, path);
      memory.set(INT, at + PATH_BYTES, pathBytes);
      memory.set(INT, at + LABEL, folder.label());
      memory.set(LONG, at + MODIFIED, folder.modifiedNanos());
      memory.set(LONG, at + CHANGED, folder.changedNanos());
      copyPath(folder, pathsOffset + path);
      copy(names, namesOffset + name);
      MemorySegment.copy(ends, 0, memory, INT, endsOffset + file * END_BYTES, ends.length);
      file += ends.length;
      name += names.length;
      path += pathBytes;
      at += DIRECTORY_BYTES;
    }
  }

  /** With the slash at its end, which the root lacks. */
  private static int pathBytes(Folder folder) {
    int bytes = folder.path().bytes().length;
    return bytes == 0 ? 0 : bytes + 1;
  }

  private void copyPath(Folder folder, long offset) {
    byte[] path = folder.path().bytes();
    if (path.length > 0) {
      copy(path, offset);
      memory.set(ValueLayout.JAVA_BYTE, offset + path.length, (byte) '/');
    }
  }

  private void copy(byte[] bytes, long offset) {
    MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, offset, bytes.length);
  }

  /** All of it, to be stored. */
  MemorySegment memory() {
    return memory;
  }

  /** The number of samples. */
  long files() {
    return files;
  }

  /** The number of directories, the root included. */
  long directories() {
    return directories;
  }

  /** The number of classes. */
  int classes() {
    return memory.get(INT, CLASSES);
  }

  /** The directory that holds a file: the last whose files begin at or before it. */
  long directoryOf(long file) {
    long low = 0;
    long high = directories - 1;
    while (low < high) {
      long middle = (low + high + 1) >>> 1;
      if (field(middle, FIRST_FILE) <= file) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private long field(long directory, long offset) {
    return memory.get(LONG, HEADER_BYTES + directory * DIRECTORY_BYTES + offset);
  }

  private int intField(long directory, long offset) {
    return memory.get(INT, HEADER_BYTES + directory * DIRECTORY_BYTES + offset);
  }

  /** The class of a directory's samples, or -1 for the root. */
  int label(long directory) {
    return intField(directory, LABEL);
  }

  /** The number of samples that lie in the directory itself. */
  long filesIn(long directory) {
    long next = directory + 1 < directories ? field(directory + 1, FIRST_FILE) : files;
    return next - field(directory, FIRST_FILE);
  }

  /** The path of a directory, relative to the root, with a slash at its end; empty for the root. */
  byte[] path(long directory) {
    return pathMemory(directory).toArray(ValueLayout.JAVA_BYTE);
  }

  private MemorySegment pathMemory(long directory) {
    long start = pathsOffset + field(directory, PATH);
    return memory.asSlice(start, intField(directory, PATH_BYTES));
  }

  /** When an entry was added, removed or renamed last, as the scan saw it. */
  long modifiedNanos(long directory) {
    return field(directory, MODIFIED);
  }

  /** When the directory or its status was changed last, as the scan saw it. */
  long changedNanos(long directory) {
    return field(directory, CHANGED);
  }

  /** Appends a file's path, relative to the root, to the location of a range. */
  void appendPath(long file, ObjectRange range) {
    long directory = directoryOf(file);
    int pathBytes = intField(directory, PATH_BYTES);
    range.append(memory, pathsOffset + field(directory, PATH), pathBytes);
    long start = nameStart(directory, file);
    long bytes = nameEnd(file) - start;
    range.append(memory, namesOffset + field(directory, FIRST_NAME) + start, (int) bytes);
  }

  /** A file's path, relative to the root. */
  byte[] pathOf(long file) {
    long directory = directoryOf(file);
    byte[] folder = path(directory);
    long start = nameStart(directory, file);
    int bytes = (int) (nameEnd(file) - start);
    byte[] path = Arrays.copyOf(folder, folder.length + bytes);
    long offset = namesOffset + field(directory, FIRST_NAME) + start;
    MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, path, folder.length, bytes);
    return path;
  }

  private long nameStart(long directory, long file) {
    return file == field(directory, FIRST_FILE) ? 0 : nameEnd(file - 1);
  }

  private long nameEnd(long file) {
    return Integer.toUnsignedLong(memory.get(INT, endsOffset + file * END_BYTES));
  }

  /** Adds the classes, the samples' paths and their labels, but no time, to a fingerprint. */
  void addTo(Digest digest) {
    digest.number(classes()).number(files);
    for (long directory = 0; directory < directories; directory++) {
      long count = filesIn(directory);
      if (count > 0 || isClass(directory)) {
        long firstFile = field(directory, FIRST_FILE);
        long namesBytes = count == 0 ? 0 : nameEnd(firstFile + count - 1);
        digest.memory(pathMemory(directory)).number(label(directory));
        digest.memory(memory.asSlice(endsOffset + firstFile * END_BYTES, count * END_BYTES));
        digest.memory(memory.asSlice(namesOffset + field(directory, FIRST_NAME), namesBytes));
      }
    }
  }

  /** True for a directory that stands for a class: the first with its label. */
  boolean isClass(long directory) {
    return directory > 0 && label(directory) != label(directory - 1);
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
