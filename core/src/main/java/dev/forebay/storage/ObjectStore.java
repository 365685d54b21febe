package dev.forebay.storage;

import dev.forebay.memory.NativeBuffer;
import java.io.IOException;

/** Where objects are read from. Thread-safe. */
public interface ObjectStore extends AutoCloseable {

  /**
   * Reads the whole range into {@code into}, from its start, growing it as needed; blocks until
   * done.
   *
   * @return the number of bytes read; equal to the range's length where that is given
   * @throws java.nio.file.NoSuchFileException if there is no such object
   * @throws java.io.EOFException if the object ends before the range does
   * @throws IOException for every other failure, with the location in its message
   */
  long read(ObjectRange range, NativeBuffer into) throws IOException;

  @Override
  void close();
}
