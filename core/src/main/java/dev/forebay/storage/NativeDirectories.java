package dev.forebay.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Directories read by system calls. A file's type comes with its name, so that only symbolic links
 * cost a call of their own. Thread-safe.
 */
final class NativeDirectories implements DirectoryReader {
  private static final int ENTRIES_BYTES = 64 << 10;
  private static final int NAME_BYTES_MAX = 4096;
  private static final long ALIGNMENT_BYTES = 64;

  /*
   * struct linux_dirent64: 0 u64 inode, 8 s64 offset, 16 u16 length of the entry, 18 u8 type,
   * 19 name with NUL. The same on every architecture.
   */
  private static final int ENTRY_BYTES = 16;
  private static final int ENTRY_TYPE = 18;
  private static final int ENTRY_NAME = 19;
  private static final int TYPE_UNKNOWN = 0;
  private static final int TYPE_DIRECTORY = 4;
  private static final int TYPE_LINK = 10;

  @Override
  public void list(byte[] path, EntryConsumer consumer) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment capture = arena.allocate(Libc.CAPTURE_BYTES, ALIGNMENT_BYTES);
      int flags = Libc.O_RDONLY | Libc.O_CLOEXEC | Libc.O_NONBLOCK;
      int directory = Libc.open(capture, terminated(arena, path).address(), flags);
      if (directory < 0) {
        throw Libc.failure(Libc.errno(capture), text(path));
      }
      try {
        new Listing(arena, capture, directory, consumer).run(path);
      } finally {
        int _ = Libc.close(capture, directory); // nothing was written
      }
    }
  }

  @Override
  public FileStatus status(byte[] path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment capture = arena.allocate(Libc.CAPTURE_BYTES, ALIGNMENT_BYTES);
      MemorySegment status = arena.allocate(StatxLayout.BYTES, ALIGNMENT_BYTES);
      long address = terminated(arena, path).address();
      if (Libc.statx(capture, StatxLayout.AT_FDCWD, address, 0, status.address()) < 0) {
        throw Libc.failure(Libc.errno(capture), text(path));
      }
      return StatxLayout.status(status, 0);
    }
  }

  private static MemorySegment terminated(Arena arena, byte[] path) {
    MemorySegment place = arena.allocate(path.length + 1L);
    MemorySegment.copy(path, 0, place, ValueLayout.JAVA_BYTE, 0, path.length);
    return place;
  }

  private static String text(byte[] path) {
    return new String(path, StandardCharsets.UTF_8);
  }

  /** One pass over an open directory. Confined to its thread. */
  private static final class Listing {
    private final MemorySegment capture;
    private final int directory;
    private final EntryConsumer consumer;
    private final MemorySegment entries;
    private final MemorySegment name;
    private final MemorySegment status;
    private final byte[] copy = new byte[ENTRIES_BYTES];

    Listing(Arena arena, MemorySegment capture, int directory, EntryConsumer consumer) {
      this.capture = capture;
      this.directory = directory;
      this.consumer = consumer;
      this.entries = arena.allocate(ENTRIES_BYTES, ALIGNMENT_BYTES);
      this.name = arena.allocate(NAME_BYTES_MAX, ALIGNMENT_BYTES);
      this.status = arena.allocate(StatxLayout.BYTES, ALIGNMENT_BYTES);
    }

    void run(byte[] path) throws IOException {
      while (true) {
        long read = Libc.getdents(capture, directory, entries.address(), ENTRIES_BYTES);
        if (read == 0) {
          return;
        }
        if (read > 0) {
          MemorySegment.copy(entries, ValueLayout.JAVA_BYTE, 0, copy, 0, (int) read);
          entries((int) read);
        } else if (Libc.errno(capture) != Libc.EINTR) {
          throw Libc.failure(Libc.errno(capture), text(path));
        }
      }
    }

    private void entries(int bytes) throws IOException {
      for (int entry = 0; entry < bytes; ) {
        int nameOffset = entry + ENTRY_NAME;
        int nameEnd = nameOffset;
        while (copy[nameEnd] != 0) {
          nameEnd++;
        }
        if (!isDots(nameOffset, nameEnd - nameOffset)) {
          boolean isDirectory = isDirectory(copy[entry + ENTRY_TYPE], nameOffset, nameEnd);
          consumer.entry(copy, nameOffset, nameEnd - nameOffset, isDirectory);
        }
        entry += entries.get(ValueLayout.JAVA_SHORT, entry + ENTRY_BYTES);
      }
    }

    private boolean isDots(int offset, int bytes) {
      return copy[offset] == '.' && (bytes == 1 || (bytes == 2 && copy[offset + 1] == '.'));
    }

    /** Asks the file system only where the entry itself does not say. */
    private boolean isDirectory(int type, int nameOffset, int nameEnd) {
      if (type != TYPE_LINK && type != TYPE_UNKNOWN) {
        return type == TYPE_DIRECTORY;
      }
      int bytes = nameEnd - nameOffset + 1;
      MemorySegment.copy(copy, nameOffset, name, ValueLayout.JAVA_BYTE, 0, bytes);
      return Libc.statx(capture, directory, name.address(), 0, status.address()) == 0
          && StatxLayout.type(status, 0) == StatxLayout.TYPE_DIRECTORY;
    }
  }
}
