package dev.forebay.storage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Where the kernel's {@code struct statx} keeps what we read. Unlike {@code struct stat} it is the
 * same on every architecture.
 *
 * <pre>
 *   0 u32 mask        28 u16 mode         40 u64 size         96 s64, u32 time of status change
 *   4 u32 block size  32 u64 inode        64 time of access  112 s64, u32 time of modification
 *   8 u64 attributes  16 links, 20 user, 24 group   136 u32, u32 device (major, minor)
 * </pre>
 */
final class StatxLayout {
  /** The size of the structure. */
  static final long BYTES = 256;

  /** The mask that asks for type, inode, size and times. */
  static final int BASIC_STATS = 0x7ff;

  /** Paths are relative to the working directory. */
  static final int AT_FDCWD = -100;

  /** With an empty path: the open file itself. */
  static final int AT_EMPTY_PATH = 0x1000;

  static final int TYPE_FIFO = 0x1000;
  static final int TYPE_CHARACTER_DEVICE = 0x2000;
  static final int TYPE_DIRECTORY = 0x4000;
  static final int TYPE_BLOCK_DEVICE = 0x6000;
  static final int TYPE_REGULAR = 0x8000;
  static final int TYPE_SOCKET = 0xc000;

  private static final int TYPE_MASK = 0xf000;
  private static final long MODE = 28;
  private static final long INODE = 32;
  private static final long SIZE = 40;
  private static final long CHANGED = 96;
  private static final long MODIFIED = 112;
  private static final long DEVICE = 136;
  private static final long NANOS_OF_TIME = 8;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private StatxLayout() {}

  static int type(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_SHORT, offset + MODE) & TYPE_MASK;
  }

  static long bytes(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_LONG, offset + SIZE);
  }

  static FileStatus status(MemorySegment memory, long offset) {
    return new FileStatus(
        type(memory, offset) == TYPE_DIRECTORY,
        memory.get(ValueLayout.JAVA_LONG, offset + DEVICE)
            + ":"
            + memory.get(ValueLayout.JAVA_LONG, offset + INODE),
        bytes(memory, offset),
        nanos(memory, offset + MODIFIED),
        nanos(memory, offset + CHANGED));
  }

  private static long nanos(MemorySegment memory, long offset) {
    return memory.get(ValueLayout.JAVA_LONG, offset) * NANOS_PER_SECOND
        + memory.get(ValueLayout.JAVA_INT, offset + NANOS_OF_TIME);
  }

  /** What a person calls a file of this type. */
  static String typeName(int type) {
    return switch (type) {
      case TYPE_REGULAR -> "a regular file";
      case TYPE_DIRECTORY -> "a directory";
      case TYPE_FIFO -> "a FIFO";
      case TYPE_SOCKET -> "a socket";
      case TYPE_BLOCK_DEVICE, TYPE_CHARACTER_DEVICE -> "a device";
      default -> "a special file";
    };
  }
}
