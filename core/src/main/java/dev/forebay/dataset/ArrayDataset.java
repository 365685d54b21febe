package dev.forebay.dataset;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Sample;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Samples that lie in memory, field by field: sample {@code i} has row {@code i} of every field.
 * Immutable and thread-safe.
 *
 * <p>{@link Builder#build} copies Java arrays to native memory, once; a sample then is a read-only
 * view of its rows, without a copy. {@link #close()} frees that memory. A {@link MemorySegment} is
 * used as it is and stays its owner's, who keeps it alive and unchanged as long as the dataset.
 *
 * {@snippet :
 * Dataset digits = ArrayDataset.builder()
 *     .field("image", pixels, 28, 28)   // byte[60_000 * 28 * 28]
 *     .field("label", labels)           // long[60_000]
 *     .build();
 * }
 */
public final class ArrayDataset implements Dataset {
  private final Arena arena;
  private final List<Column> columns;
  private final Schema schema;
  private final long rows;
  private @Nullable String fingerprint;

  private ArrayDataset(Arena arena, List<Column> columns, @Nullable String fingerprint) {
    this.arena = arena;
    this.columns = List.copyOf(columns);
    this.schema = Schema.of(columns.stream().map(Column::field).toList());
    this.rows = columns.getFirst().rows();
    this.fingerprint = fingerprint;
  }

  /** Begins the description of a dataset. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public long size() {
    return rows;
  }

  /**
   * The hash of schema and content: SHA-256 over both, cut to 128 bits; or what {@link
   * Builder#identity} says. Computed on the first call, by reading all values, and kept.
   */
  @Override
  public synchronized String fingerprint() {
    if (fingerprint == null) {
      Digest digest = new Digest("arrays").text(schema.toString()).number(rows);
      columns.forEach(column -> column.addTo(digest));
      fingerprint = digest.fingerprint();
    }
    return fingerprint;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public void load(long id, Sample sample) {
    Objects.checkIndex(id, rows);
    for (int slot = 0; slot < columns.size(); slot++) {
      columns.get(slot).view(id, sample.value(slot));
    }
  }

  @Override
  public String describe(long id) {
    return "row " + id;
  }

  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }

  /**
   * Collects the fields, in the order of their slots. Arrays are copied by {@link #build}. Not
   * thread-safe.
   *
   * <p>Of a field with {@code rowShape} [3, 2], every 6 numbers are one row; without a row shape
   * each number is a row.
   */
  public static final class Builder {
    private final List<Function<Arena, Column>> columns = new ArrayList<>();
    private @Nullable String fingerprint;

    private Builder() {}

    /** A field of {@code uint8} numbers: negative ones stand for 128 to 255. */
    public Builder field(String name, byte[] values, long... rowShape) {
      return copied(name, DType.UINT8, MemorySegment.ofArray(values), rowShape);
    }

    /** A field of {@code int16} numbers. */
    public Builder field(String name, short[] values, long... rowShape) {
      return copied(name, DType.INT16, MemorySegment.ofArray(values), rowShape);
    }

    /** A field of {@code uint16} numbers. */
    public Builder field(String name, char[] values, long... rowShape) {
      return copied(name, DType.UINT16, MemorySegment.ofArray(values), rowShape);
    }

    /** A field of {@code int32} numbers. */
    public Builder field(String name, int[] values, long... rowShape) {
      return copied(name, DType.INT32, MemorySegment.ofArray(values), rowShape);
    }

    /** A field of {@code int64} numbers. */
    public Builder field(String name, long[] values, long... rowShape) {
      return copied(name, DType.INT64, MemorySegment.ofArray(values), rowShape);
    }

    /** A field of {@code float32} numbers. */
    public Builder field(String name, float[] values, long... rowShape) {
      return copied(name, DType.FLOAT32, MemorySegment.ofArray(values), rowShape);
    }

    /** A field of {@code float64} numbers. */
    public Builder field(String name, double[] values, long... rowShape) {
      return copied(name, DType.FLOAT64, MemorySegment.ofArray(values), rowShape);
    }

    /** A field of {@code bool} values. */
    public Builder field(String name, boolean[] values, long... rowShape) {
      byte[] bytes = new byte[values.length];
      for (int index = 0; index < values.length; index++) {
        bytes[index] = (byte) (values[index] ? 1 : 0);
      }
      return copied(name, DType.BOOL, MemorySegment.ofArray(bytes), rowShape);
    }

    /** A field of texts, a row each. */
    public Builder field(String name, String[] values) {
      byte[][] utf8 = new byte[values.length][];
      for (int row = 0; row < values.length; row++) {
        utf8[row] = Objects.requireNonNull(values[row], name).getBytes(StandardCharsets.UTF_8);
      }
      return varying(Field.string(name), utf8);
    }

    /** A field of bytes, such as encoded images, a row each. */
    public Builder field(String name, byte[][] values) {
      return varying(Field.bytes(name), values.clone());
    }

    /**
     * A field of numbers in native memory that belongs to the caller: row after row, elements
     * little-endian. It must be accessible to all threads, so not of a confined arena.
     */
    public Builder field(String name, DType dtype, MemorySegment values, long... rowShape) {
      if (!values.isNative() || !values.isAccessibleBy(Thread.ofPlatform().unstarted(() -> {}))) {
        throw new IllegalArgumentException(
            "field "
                + name
                + ": the memory must be native and of a shared, global or automatic arena, since"
                + " workers read it; pass Java arrays as they are");
      }
      Column.Fixed column = fixed(name, dtype, values.asReadOnly(), rowShape);
      columns.add(_ -> column);
      return this;
    }

    /**
     * Names the content, instead of the hash of all values, which takes about a second for each
     * gigabyte.
     *
     * @param identity changes whenever the content does
     */
    public Builder identity(String identity) {
      this.fingerprint = new Digest("arrays").text(identity).fingerprint();
      return this;
    }

    private Builder copied(String name, DType dtype, MemorySegment values, long... rowShape) {
      Column.Fixed column = fixed(name, dtype, values, rowShape);
      columns.add(column::copy);
      return this;
    }

    private Builder varying(Field field, byte[][] values) {
      for (byte[] value : values) {
        Objects.requireNonNull(value, field.name());
      }
      columns.add(arena -> Column.Varying.copy(field, values, arena));
      return this;
    }

    private static Column.Fixed fixed(
        String name, DType dtype, MemorySegment values, long... rowShape) {
      Field field = Field.tensor(name, dtype, Shape.of(rowShape));
      if (!field.isFixed()) {
        throw new IllegalArgumentException(
            "field %s: every extent of the row shape %s must be known"
                .formatted(name, field.shape()));
      }
      long rowBytes = field.bytes();
      if (rowBytes == 0 || values.byteSize() % rowBytes != 0) {
        throw new IllegalArgumentException(
            "field %s: %d bytes are not a whole number of rows of shape %s (%d bytes each)"
                .formatted(name, values.byteSize(), field.shape(), rowBytes));
      }
      return new Column.Fixed(field, values.byteSize() / rowBytes, values);
    }

    /**
     * The dataset; it must be closed.
     *
     * @throws IllegalArgumentException if there is no field, if two have the same name, or if they
     *     differ in their number of rows
     */
    @SuppressWarnings("MustBeClosedChecker") // the dataset closes its arena
    public ArrayDataset build() {
      if (columns.isEmpty()) {
        throw new IllegalArgumentException("a dataset needs at least one field");
      }
      Arena arena = Arena.ofShared();
      try {
        List<Column> built = columns.stream().map(column -> column.apply(arena)).toList();
        checkRows(built);
        return new ArrayDataset(arena, built, fingerprint);
      } catch (Throwable failure) {
        arena.close();
        throw failure;
      }
    }

    private static void checkRows(List<Column> columns) {
      Column first = columns.getFirst();
      for (Column column : columns) {
        if (column.rows() != first.rows()) {
          throw new IllegalArgumentException(
              "field %s has %d rows, but field %s has %d; all need the same number"
                  .formatted(
                      column.field().name(), column.rows(), first.field().name(), first.rows()));
        }
      }
    }
  }
}
