package dev.forebay.dataset;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.transform.Value;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** All values of one field of an {@link ArrayDataset}, in native memory. Immutable. */
sealed interface Column {
  /** The most room that a row reserves for a value of varying length. */
  long ROW_BYTES_MAX = 64 << 10;

  long ALIGNMENT_BYTES = 64;

  /** What the values are. */
  Field field();

  /** The number of values. */
  long rows();

  /** Makes {@code value} a view of the value in a row. */
  void view(long row, Value value);

  /** Adds all values to a fingerprint. */
  void addTo(Digest digest);

  /**
   * Values of one size.
   *
   * @param memory row after row; read-only
   */
  record Fixed(Field field, long rows, MemorySegment memory) implements Column {
    /** The same in memory of {@code arena}. */
    Fixed copy(Arena arena) {
      MemorySegment copy = arena.allocate(Math.max(1, memory.byteSize()), ALIGNMENT_BYTES);
      MemorySegment.copy(memory, 0, copy, 0, memory.byteSize());
      return new Fixed(field, rows, copy.asSlice(0, memory.byteSize()).asReadOnly());
    }

    @Override
    public void view(long row, Value value) {
      value.view(field.dtype(), memory, row * field.bytes(), field.shape());
    }

    @Override
    public void addTo(Digest digest) {
      digest.memory(memory);
    }
  }

  /**
   * Texts or bytes.
   *
   * @param ends where each value ends, a {@code long} each; it begins where the one before ends
   * @param memory value after value; read-only
   */
  record Varying(Field field, MemorySegment ends, MemorySegment memory) implements Column {
    /** The column of the given values, copied to memory of {@code arena}. */
    static Varying copy(Field field, byte[][] values, Arena arena) {
      MemorySegment ends = arena.allocate(ValueLayout.JAVA_LONG, values.length);
      long end = 0;
      long longest = 1;
      for (int row = 0; row < values.length; row++) {
        end += values[row].length;
        ends.setAtIndex(ValueLayout.JAVA_LONG, row, end);
        longest = Math.max(longest, values[row].length);
      }
      MemorySegment copy = arena.allocate(Math.max(1, end), ALIGNMENT_BYTES);
      long start = 0;
      for (byte[] value : values) {
        MemorySegment.copy(value, 0, copy, ValueLayout.JAVA_BYTE, start, value.length);
        start += value.length;
      }
      Field sized = field.withBytesMax(Math.min(longest, ROW_BYTES_MAX));
      return new Varying(sized, ends, copy.asSlice(0, end).asReadOnly());
    }

    @Override
    public long rows() {
      return ends.byteSize() / Long.BYTES;
    }

    @Override
    public void view(long row, Value value) {
      long start = row == 0 ? 0 : ends.getAtIndex(ValueLayout.JAVA_LONG, row - 1);
      long end = ends.getAtIndex(ValueLayout.JAVA_LONG, row);
      value.view(DType.UINT8, memory, start, end - start);
    }

    @Override
    public void addTo(Digest digest) {
      digest.memory(ends);
      digest.memory(memory);
    }
  }
}
