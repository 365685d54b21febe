package dev.forebay.dataset;

import dev.forebay.storage.DirectoryReader;
import dev.forebay.storage.FileStatus;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The file that keeps a {@link FolderIndex} from one run to the next. Thread-safe, also against
 * other processes: a file appears whole or not at all.
 *
 * <pre>
 *   0 magic "FOREBAYX"   8 u32 version   12 u32 CRC-32C of all that follows
 *  16 i64 bytes of the file              24 16 bytes of the key: root and options, hashed
 *  40 the index
 * </pre>
 *
 * @param path where it is
 * @param key 32 hexadecimal digits; a file with another one belongs to another root or options
 * @param clock tells whether a directory has settled
 */
record IndexFile(Path path, String key, InstantSource clock) {
  private static final System.Logger LOG = System.getLogger("dev.forebay");

  private static final long MAGIC = 0x585941424552_4f46L; // "FOREBAYX", little-endian
  private static final int VERSION = 1;
  private static final int HEADER_BYTES = 40;
  private static final int CHECKSUM = 12;
  private static final int CHECKED_FROM = 16;
  private static final int KEY = 24;
  private static final int PIECE_BYTES = 1 << 20;

  /**
   * How long a directory must have been left alone. Its time of change moves in steps, of 2 s at
   * the coarsest, so a change within the step in which it was listed would not show.
   */
  private static final Duration SETTLED = Duration.ofSeconds(2);

  /** After this a temporary file belongs to a process that was killed. */
  private static final Duration ABANDONED = Duration.ofHours(1);

  private static final String TEMPORARY = ".tmp";

  /**
   * Where the index with a key is kept unless the user says otherwise: {@code forebay/index} in the
   * user's cache directory, as the XDG Base Directory Specification defines it.
   *
   * @param home the user's home directory, if known
   * @return null if there is no such directory
   */
  static @Nullable Path defaultPath(
      String key, Map<String, String> environment, @Nullable String home) {
    Path cache = Path.of(environment.getOrDefault("XDG_CACHE_HOME", ""));
    if (!cache.isAbsolute()) {
      cache = Path.of(home == null ? "" : home).resolve(".cache");
    }
    return cache.isAbsolute() ? cache.resolve("forebay/index/" + key + ".idx") : null;
  }

  /**
   * The index, if the file has one for this key and no directory has changed since. A file that
   * cannot be used is reported in the log.
   *
   * @param root with a slash at its end
   */
  @Nullable FolderIndex load(DirectoryReader reader, byte[] root) {
    FolderIndex index;
    try {
      index = read();
    } catch (NoSuchFileException absent) {
      return null;
    } catch (IOException | IllegalArgumentException unusable) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the index {0} cannot be used and is built anew: {1}",
          path,
          unusable.getMessage());
      return null;
    }
    if (isCurrent(index, reader, root)) {
      return index;
    }
    index.close();
    return null;
  }

  @SuppressWarnings("MustBeClosedChecker") // the index takes the arena over
  private FolderIndex read() throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      readFully(channel, header);
      checkHeader(header, channel.size());
      MemorySegment memory = arena.allocate(channel.size() - HEADER_BYTES, Long.BYTES);
      for (long done = 0; done < memory.byteSize(); done += PIECE_BYTES) {
        readFully(channel, piece(memory, done));
      }
      if (header.getInt(CHECKSUM) != checksum(header, memory)) {
        throw new IllegalArgumentException("its checksum is wrong");
      }
      return FolderIndex.of(arena, memory);
    } catch (Throwable failure) {
      arena.close();
      throw failure;
    }
  }

  private static void readFully(FileChannel channel, ByteBuffer into) throws IOException {
    while (into.hasRemaining()) {
      if (channel.read(into) < 0) {
        throw new EOFException("it is cut short");
      }
    }
  }

  private void checkHeader(ByteBuffer header, long size) {
    header.flip();
    if (header.getLong() != MAGIC) {
      throw new IllegalArgumentException("it is no index of Forebay");
    }
    int version = header.getInt();
    if (version != VERSION) {
      throw new IllegalArgumentException("it has version " + version + ", not " + VERSION);
    }
    if (header.getLong(CHECKED_FROM) != size) {
      throw new IllegalArgumentException("it is not as long as it says");
    }
    byte[] found = new byte[HEADER_BYTES - KEY];
    header.get(KEY, found);
    if (!HexFormat.of().formatHex(found).equals(key)) {
      throw new IllegalArgumentException("it belongs to another root or other options");
    }
  }

  private static ByteBuffer piece(MemorySegment memory, long start) {
    long bytes = Math.min(PIECE_BYTES, memory.byteSize() - start);
    return memory.asSlice(start, bytes).asByteBuffer();
  }

  private static int checksum(ByteBuffer header, MemorySegment memory) {
    CRC32C crc = new CRC32C();
    crc.update(header.slice(CHECKED_FROM, HEADER_BYTES - CHECKED_FROM));
    for (long done = 0; done < memory.byteSize(); done += PIECE_BYTES) {
      crc.update(piece(memory, done));
    }
    return (int) crc.getValue();
  }

  private static boolean isCurrent(FolderIndex index, DirectoryReader reader, byte[] root) {
    for (long directory = 0; directory < index.directories(); directory++) {
      byte[] path = index.path(directory);
      byte[] absolute = new byte[root.length + path.length];
      System.arraycopy(root, 0, absolute, 0, root.length);
      System.arraycopy(path, 0, absolute, root.length, path.length);
      try {
        FileStatus status = reader.status(absolute);
        if (!status.isDirectory()
            || status.modifiedNanos() != index.modifiedNanos(directory)
            || status.changedNanos() != index.changedNanos(directory)) {
          return false;
        }
      } catch (IOException gone) {
        return false; // the scan that follows reports what is wrong, if anything
      }
    }
    return true;
  }

  /**
   * Writes the index, unless a directory changed shortly before or during the scan. That it cannot
   * be written is no error, but reported in the log.
   *
   * @param scanStart when the scan began
   */
  void save(FolderIndex index, Instant scanStart) {
    if (!isSettled(index, scanStart)) {
      return;
    }
    try {
      Path folder = Objects.requireNonNull(path.toAbsolutePath().getParent(), "a file's folder");
      Files.createDirectories(folder);
      removeAbandoned(folder);
      Path temporary = Files.createTempFile(folder, name(path) + ".", TEMPORARY);
      try {
        write(index.memory(), temporary);
        Files.move(
            temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(temporary);
      }
    } catch (IOException failure) {
      LOG.log(
          System.Logger.Level.INFO,
          "the index {0} cannot be saved, so the next run scans the folder again: {1}",
          path,
          failure.toString());
    }
  }

  private static boolean isSettled(FolderIndex index, Instant scanStart) {
    long limit = TimeUnit.MILLISECONDS.toNanos(scanStart.minus(SETTLED).toEpochMilli());
    for (long directory = 0; directory < index.directories(); directory++) {
      if (index.changedNanos(directory) > limit || index.modifiedNanos(directory) > limit) {
        return false;
      }
    }
    return true;
  }

  private void removeAbandoned(Path folder) throws IOException {
    Instant limit = clock.instant().minus(ABANDONED);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, this::isTemporary)) {
      for (Path file : files) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  private boolean isTemporary(Path file) {
    String name = name(file);
    return name.startsWith(name(path) + ".") && name.endsWith(TEMPORARY);
  }

  private static String name(Path file) {
    return Objects.requireNonNull(file.getFileName(), "a file's name").toString();
  }

  private void write(MemorySegment memory, Path file) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(MAGIC).putInt(VERSION).putInt(0);
    header.putLong(HEADER_BYTES + memory.byteSize());
    header.put(HexFormat.of().parseHex(key)).flip();
    header.putInt(CHECKSUM, checksum(header, memory));
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      writeFully(channel, header);
      for (long done = 0; done < memory.byteSize(); done += PIECE_BYTES) {
        writeFully(channel, piece(memory, done));
      }
    }
  }

  private static void writeFully(FileChannel channel, ByteBuffer from) throws IOException {
    while (from.hasRemaining()) {
      channel.write(from);
    }
  }
}
