package dev.forebay.storage;

import dev.forebay.memory.NativeBuffer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Files read through {@link FileChannel}, for platforms without {@link NativeFiles}. Thread-safe.
 *
 * <p>The type is looked up before opening, since a FIFO cannot be opened without waiting; a file
 * that is replaced by a FIFO in between is not caught.
 */
final class ChannelFiles implements ObjectStore {
  private static final long TRANSFER_BYTES_MAX = 1L << 30;
  private static final long PIECE_BYTES = 64 << 10;

  @Override
  public long read(ObjectRange range, NativeBuffer into) throws IOException {
    Path path = path(range.location());
    checkType(path);
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size == 0 && range.length() == ObjectRange.TO_END) {
        return readToEnd(channel, range, into);
      }
      return readRange(channel, NativeFiles.wanted(range, size), range, into);
    }
  }

  static Path path(String location) throws IOException {
    try {
      return Path.of(location);
    } catch (InvalidPathException unmappable) {
      String reason = "the JVM's locale cannot express this name; run it with LC_ALL=C.UTF-8";
      throw (IOException) new FileSystemException(location, null, reason).initCause(unmappable);
    }
  }

  private static void checkType(Path path) throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    if (!attributes.isRegularFile()) {
      String type = attributes.isDirectory() ? "a directory" : "a special file";
      throw new FileSystemException(path.toString(), null, "is " + type + ", not a regular file");
    }
  }

  private static long readRange(
      FileChannel channel, long bytes, ObjectRange range, NativeBuffer into) throws IOException {
    MemorySegment place = into.ensure(bytes);
    long done = 0;
    while (done < bytes) {
      long step = Math.min(bytes - done, TRANSFER_BYTES_MAX);
      long read = read(channel, place.asSlice(done, step), range.offset() + done, range);
      if (read < 0) {
        return NativeFiles.endOfShrunkFile(range, done);
      }
      done += read;
    }
    return done;
  }

  private static long readToEnd(FileChannel channel, ObjectRange range, NativeBuffer into)
      throws IOException {
    long done = 0;
    while (true) {
      MemorySegment place = into.ensureKeeping(done + PIECE_BYTES, done);
      long read = read(channel, place.asSlice(done, PIECE_BYTES), range.offset() + done, range);
      if (read < 0) {
        return done;
      }
      done += read;
    }
  }

  private static long read(FileChannel channel, MemorySegment place, long offset, ObjectRange range)
      throws IOException {
    try {
      return channel.read(place.asByteBuffer(), offset);
    } catch (java.nio.channels.ClosedByInterruptException interrupted) {
      throw interrupted;
    } catch (IOException failure) {
      throw new IOException(range + ": " + failure.getMessage(), failure);
    }
  }

  @Override
  public void close() {}
}
