package dev.forebay.storage;

import dev.forebay.memory.NativeBuffer;
import java.io.IOException;

/**
 * The files of this machine as objects; a location is a path. Thread-safe.
 *
 * <p>On 64-bit Linux a read goes straight to the kernel and allocates nothing; elsewhere, or where
 * native access is denied, it goes through {@link java.nio.channels.FileChannel} and allocates a
 * few objects. Both behave alike:
 *
 * <ul>
 *   <li>symbolic links are followed; what is not a regular file is refused, and never waited for;
 *   <li>a file that shrinks while being read ends a range with {@link java.io.EOFException}, and
 *       otherwise yields the bytes that were still there, whose number is returned;
 *   <li>bytes added to a file while it is being read are left out.
 * </ul>
 */
public final class LocalFiles implements ObjectStore {
  private final ObjectStore files;

  /** Uses system calls if {@code isNative}, which must be available then, or file channels. */
  LocalFiles(boolean isNative) {
    this.files = isNative ? new NativeFiles() : new ChannelFiles();
  }

  /** Local files in the fastest way that works here. */
  public static LocalFiles open() {
    return new LocalFiles(Libc.isAvailable());
  }

  @Override
  public long read(ObjectRange range, NativeBuffer into) throws IOException {
    return files.read(range, into);
  }

  /** Must be called after the last read has returned. */
  @Override
  public void close() {
    files.close();
  }
}
