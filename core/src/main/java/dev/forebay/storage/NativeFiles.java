package dev.forebay.storage;

import dev.forebay.memory.NativeBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Files read by system calls: open, statx, pread, close. Thread-safe; a read allocates nothing as
 * long as at most 64 run at once.
 */
final class NativeFiles implements ObjectStore {
  /* Design: each call needs a little native memory, for errno and the file's status. 64 pieces are
   * made at start; a bit of freeScratch is set while its piece is free. A reader clears the lowest
   * set bit by compare-and-set, which gives it the piece alone, and sets it again when done: that
   * write and the next reader's compare-and-set order their accesses. The 65th reader at once makes
   * a piece of its own. */
  private static final int SCRATCH_COUNT = 64;
  private static final long EMPTY_PATH = Libc.CAPTURE_BYTES;
  private static final long STATUS = 2 * Libc.CAPTURE_BYTES;
  private static final long SCRATCH_BYTES = STATUS + StatxLayout.BYTES;
  private static final long ALIGNMENT_BYTES = 64;

  /** The kernel transfers at most about 2 GiB at once; a round number below that. */
  private static final long TRANSFER_BYTES_MAX = 1L << 30;

  private static final long PIECE_BYTES = 64 << 10;

  private final Arena arena = Arena.ofShared();
  private final MemorySegment[] scratch = new MemorySegment[SCRATCH_COUNT];
  private final AtomicLong freeScratch = new AtomicLong(-1);

  NativeFiles() {
    for (int slot = 0; slot < SCRATCH_COUNT; slot++) {
      scratch[slot] = arena.allocate(SCRATCH_BYTES, ALIGNMENT_BYTES);
    }
  }

  @Override
  public long read(ObjectRange range, NativeBuffer into) throws IOException {
    int slot = takeScratch();
    if (slot < 0) {
      try (Arena own = Arena.ofConfined()) {
        return read(range, into, own.allocate(SCRATCH_BYTES, ALIGNMENT_BYTES));
      }
    }
    try {
      return read(range, into, scratch[slot]);
    } finally {
      giveScratch(slot);
    }
  }

  private int takeScratch() {
    while (true) {
      long free = freeScratch.get();
      if (free == 0) {
        return -1;
      }
      if (freeScratch.compareAndSet(free, free & (free - 1))) {
        return Long.numberOfTrailingZeros(free);
      }
    }
  }

  private void giveScratch(int slot) {
    while (true) {
      long free = freeScratch.get();
      if (freeScratch.compareAndSet(free, free | (1L << slot))) {
        return;
      }
    }
  }

  private static long read(ObjectRange range, NativeBuffer into, MemorySegment scratch)
      throws IOException {
    int file = open(range, scratch);
    try {
      long size = regularSize(file, range, scratch);
      if (size == 0 && range.length() == ObjectRange.TO_END) {
        // Files that the kernel makes up, as in /proc, say 0 and yet have content.
        return readToEnd(file, range, into, scratch);
      }
      return readRange(file, wanted(range, size), range, into, scratch);
    } finally {
      int _ = Libc.close(scratch, file); // a file that was only read has nothing to lose
    }
  }

  private static int open(ObjectRange range, MemorySegment scratch) throws IOException {
    int flags = Libc.O_RDONLY | Libc.O_CLOEXEC | Libc.O_NONBLOCK;
    long path = range.locationUtf8().address();
    while (true) {
      int file = Libc.open(scratch, path, flags);
      if (file >= 0) {
        return file;
      }
      int errno = Libc.errno(scratch);
      if (errno != Libc.EINTR) {
        throw Libc.failure(errno, range.location());
      }
    }
  }

  private static long regularSize(int file, ObjectRange range, MemorySegment scratch)
      throws IOException {
    long status = scratch.address() + STATUS;
    long emptyPath = scratch.address() + EMPTY_PATH;
    int flags = StatxLayout.AT_EMPTY_PATH;
    if (Libc.statx(scratch, file, emptyPath, flags, status) < 0) {
      throw Libc.failure(Libc.errno(scratch), range.location());
    }
    int type = StatxLayout.type(scratch, STATUS);
    if (type != StatxLayout.TYPE_REGULAR) {
      throw new FileSystemException(
          range.location(), null, "is " + StatxLayout.typeName(type) + ", not a regular file");
    }
    return StatxLayout.bytes(scratch, STATUS);
  }

  /** The number of bytes to read; checked before any memory is taken for them. */
  static long wanted(ObjectRange range, long size) throws EOFException {
    long available = size - range.offset();
    if (available < 0 || available < range.length()) {
      throw endsEarly(range, size);
    }
    return range.length() == ObjectRange.TO_END ? available : range.length();
  }

  static EOFException endsEarly(ObjectRange range, long size) {
    return new EOFException(range + ": the file ends at byte " + size);
  }

  private static long readRange(
      int file, long bytes, ObjectRange range, NativeBuffer into, MemorySegment scratch)
      throws IOException {
    long place = into.ensure(bytes).address();
    long done = 0;
    while (done < bytes) {
      long step = Math.min(bytes - done, TRANSFER_BYTES_MAX);
      long read = Libc.pread(scratch, file, place + done, step, range.offset() + done);
      if (read > 0) {
        done += read;
      } else if (read == 0) {
        return endOfShrunkFile(range, done);
      } else {
        retryOrThrow(range, scratch);
      }
    }
    return done;
  }

  static long endOfShrunkFile(ObjectRange range, long done) throws EOFException {
    if (range.length() != ObjectRange.TO_END) {
      throw endsEarly(range, range.offset() + done);
    }
    return done;
  }

  private static long readToEnd(
      int file, ObjectRange range, NativeBuffer into, MemorySegment scratch) throws IOException {
    long done = 0;
    while (true) {
      long place = into.ensureKeeping(done + PIECE_BYTES, done).address();
      long read = Libc.pread(scratch, file, place + done, PIECE_BYTES, range.offset() + done);
      if (read == 0) {
        return done;
      }
      if (read > 0) {
        done += read;
      } else {
        retryOrThrow(range, scratch);
      }
    }
  }

  private static void retryOrThrow(ObjectRange range, MemorySegment scratch) throws IOException {
    int errno = Libc.errno(scratch);
    if (errno != Libc.EINTR) {
      throw Libc.failure(errno, range.location());
    }
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }
}
