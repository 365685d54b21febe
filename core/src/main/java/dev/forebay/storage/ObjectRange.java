package dev.forebay.storage;

import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * A byte range of an object: what to read for one sample. Reused from sample to sample, so that
 * naming a file allocates nothing. Confined to one owner, which closes it.
 *
 * <p>The location is kept as NUL-terminated UTF-8, as system calls want it.
 */
public final class ObjectRange implements AutoCloseable {
  /** As a length: to the object's end. */
  public static final long TO_END = -1;

  private final NativeBuffer location = new NativeBuffer(MemoryBudget.unlimited("object names"));
  private int locationBytes;
  private long offset;
  private long length = TO_END;

  /**
   * Sets object and range.
   *
   * @param utf8 holds the location
   * @param utf8Offset where it begins there
   * @param utf8Bytes its length, without a terminating NUL
   * @param offset of the first byte wanted, at least 0
   * @param length of the range, or {@link #TO_END}
   */
  public void set(MemorySegment utf8, long utf8Offset, int utf8Bytes, long offset, long length) {
    MemorySegment place = location.ensure(utf8Bytes + 1L);
    MemorySegment.copy(utf8, utf8Offset, place, 0, utf8Bytes);
    place.set(ValueLayout.JAVA_BYTE, utf8Bytes, (byte) 0);
    this.locationBytes = utf8Bytes;
    this.offset = offset;
    this.length = length;
  }

  /**
   * Extends the location, for example by a file's name after that of its folder; the range stays.
   *
   * @param utf8 holds the text to append
   * @param utf8Offset where it begins there
   * @param utf8Bytes its length, without a terminating NUL
   */
  public void append(MemorySegment utf8, long utf8Offset, int utf8Bytes) {
    int extended = Math.addExact(locationBytes, utf8Bytes);
    MemorySegment place = location.ensureKeeping(extended + 1L, locationBytes);
    MemorySegment.copy(utf8, utf8Offset, place, locationBytes, utf8Bytes);
    place.set(ValueLayout.JAVA_BYTE, extended, (byte) 0);
    this.locationBytes = extended;
  }

  /** Sets object and range; allocates, so not for the hot path. */
  public void set(String location, long offset, long length) {
    byte[] utf8 = location.getBytes(StandardCharsets.UTF_8);
    set(MemorySegment.ofArray(utf8), 0, utf8.length, offset, length);
  }

  /** The location as NUL-terminated UTF-8, valid until the next change. */
  public MemorySegment locationUtf8() {
    return location.segment();
  }

  /** The location as text; allocates. */
  public String location() {
    byte[] utf8 = new byte[locationBytes];
    MemorySegment.copy(location.segment(), ValueLayout.JAVA_BYTE, 0, utf8, 0, locationBytes);
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /** The first byte wanted. */
  public long offset() {
    return offset;
  }

  /** The number of bytes wanted, or {@link #TO_END}. */
  public long length() {
    return length;
  }

  @Override
  public String toString() {
    if (offset == 0 && length == TO_END) {
      return location();
    }
    return location() + " bytes " + offset + ".." + (length == TO_END ? "" : offset + length);
  }

  @Override
  public void close() {
    location.close();
  }
}
