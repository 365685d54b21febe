package dev.forebay.storage;

import java.io.IOException;

/**
 * Lists the directories of this machine; names are bytes, as the file system keeps them, so that
 * none is lost to the JVM's locale. Thread-safe.
 */
public interface DirectoryReader {

  /** Takes the entries of a directory, one call each. */
  interface EntryConsumer {
    /**
     * Takes one entry.
     *
     * @param buffer holds the name; valid during the call only
     * @param offset where the name begins
     * @param bytes its length
     * @param isDirectory true for a directory and for a symbolic link to one; false for everything
     *     else, broken links among it
     */
    void entry(byte[] buffer, int offset, int bytes, boolean isDirectory) throws IOException;
  }

  /**
   * Hands all entries but {@code .} and {@code ..} to {@code consumer}, in no particular order.
   *
   * @param path the directory, without a terminating NUL
   * @throws IOException with the path in its message, if it cannot be read to its end
   */
  void list(byte[] path, EntryConsumer consumer) throws IOException;

  /** What the file system says about a path, symbolic links followed. */
  FileStatus status(byte[] path) throws IOException;

  /** Directories in the fastest way that works here. */
  static DirectoryReader local() {
    return Libc.isAvailable() ? new NativeDirectories() : new PathDirectories();
  }
}
