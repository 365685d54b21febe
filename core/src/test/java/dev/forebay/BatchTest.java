package dev.forebay;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.forebay.dataset.Dataset;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Ragged;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.memory.Tensor;
import dev.forebay.testing.LeakCheck;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The default collation of every kind of field. */
@ExtendWith(LeakCheck.class)
class BatchTest {

  /**
   * Sample i: a text of i letters, i bytes, a matrix of (i mod 3 + 1) x (i mod 2 + 1) int32 that
   * counts up from i, and a fixed vector of two floats.
   */
  private record Mixed(long size, long matrixBytesMax) implements Dataset {
    @Override
    public String fingerprint() {
      return "mixed-" + size;
    }

    @Override
    public Schema schema() {
      return Schema.of(
          Field.string("text"),
          Field.bytes("blob"),
          Field.tensor("matrix", DType.INT32, Shape.of(Shape.UNKNOWN, Shape.UNKNOWN))
              .withBytesMax(matrixBytesMax),
          Field.tensor("pair", DType.FLOAT32, Shape.of(2)));
    }

    @Override
    public void load(long id, Sample sample) {
      int number = (int) id;
      sample.value(0).setString(text(number));
      sample.value(1).setBytes(blob(number));
      Value matrix = sample.value(2);
      MemorySegment place = matrix.write(DType.INT32, number % 3 + 1, number % 2 + 1);
      for (int i = 0; i < matrix.elements(); i++) {
        place.set(ValueLayout.JAVA_INT_UNALIGNED, matrix.offset() + 4L * i, number + i);
      }
      Value pair = sample.value(3);
      MemorySegment pairPlace = pair.write(DType.FLOAT32, 2);
      pairPlace.set(ValueLayout.JAVA_FLOAT_UNALIGNED, pair.offset(), number);
      pairPlace.set(ValueLayout.JAVA_FLOAT_UNALIGNED, pair.offset() + 4, -number / 2f);
    }

    static String text(int number) {
      return "ä".repeat(number);
    }

    static byte[] blob(int number) {
      byte[] blob = new byte[number];
      Arrays.fill(blob, (byte) number);
      return blob;
    }
  }

  private static long[] numbers(Tensor tensor) {
    return LongStream.range(0, tensor.elements()).map(i -> (long) tensor.doubleAt(i)).toArray();
  }

  private static DataLoader loader(Mixed dataset, int batchSize, int workers) {
    return DataLoader.builder(dataset).batchSize(batchSize).workers(workers).build();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void columns_everyKind_holdWhatTheDatasetGave(int workers) {
    try (DataLoader loader = loader(new Mixed(7, 0), 4, workers)) {
      int first = 0;
      for (Batch batch : loader) {
        List<String> texts = new ArrayList<>();
        for (int row = 0; row < batch.size(); row++) {
          texts.add(Mixed.text(first + row));
          assertArrayEquals(Mixed.blob(first + row), batch.bytes("blob", row));
        }
        assertEquals(texts, batch.strings("text"));
        Tensor pair = batch.tensor("pair");
        assertEquals(Shape.of(batch.size(), 2), pair.shape());
        assertEquals(first + 1, pair.doubleAt(2));
        assertEquals(-(first + 1) / 2.0, pair.doubleAt(3));
        first += batch.size();
      }
      assertEquals(7, first);
    }
  }

  /**
   * With room for 4 bytes a row, most matrices do not fit in their rows and are kept beside them.
   */
  @ParameterizedTest
  @ValueSource(longs = {0, 4})
  void padded_varyingShapes_fillsBehindEachAxis(long matrixBytesMax) {
    try (DataLoader loader = loader(new Mixed(4, matrixBytesMax), 4, 2)) {
      Tensor padded = loader.iterator().next().padded("matrix", -1);
      assertEquals(Shape.of(4, 3, 2), padded.shape());
      assertArrayEquals(
          new long[] {
            0, -1, -1, -1, -1, -1, //
            1, 2, 3, 4, -1, -1, //
            2, -1, 3, -1, 4, -1, //
            3, 4, -1, -1, -1, -1
          },
          numbers(padded));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 4})
  void ragged_varyingShapes_holdsRowsOneAfterTheOther(long matrixBytesMax) {
    try (DataLoader loader = loader(new Mixed(4, matrixBytesMax), 4, 2)) {
      Ragged ragged = loader.iterator().next().ragged("matrix");
      assertArrayEquals(new long[] {0, 1, 5, 8, 10}, ragged.offsets().toLongs());
      assertArrayEquals(new long[] {0, 1, 2, 3, 4, 2, 3, 4, 3, 4}, numbers(ragged.values()));
    }
  }

  @Test
  void padded_floatFill_isConvertedToTheFieldsType() {
    try (DataLoader loader = loader(new Mixed(2, 0), 2, 0)) {
      Tensor pair = loader.iterator().next().padded("pair", 0.5);
      assertEquals(DType.FLOAT32, pair.dtype());
      assertArrayEquals(new float[] {0, 0, 1, -0.5f}, pair.toFloats());
    }
  }

  @Test
  void tensor_rowsThatDiffer_saysWhichAndWhatToUse() {
    try (DataLoader loader = loader(new Mixed(4, 0), 4, 0)) {
      Batch batch = loader.iterator().next();
      IllegalStateException error =
          assertThrows(IllegalStateException.class, () -> batch.tensor("matrix"));
      assertMentions(error, "'matrix'");
      assertMentions(error, "padded()");
    }
  }

  @Test
  void tensor_varyingFieldWhoseRowsAgree_isOneArray() {
    try (DataLoader loader = loader(new Mixed(7, 0), 1, 0)) {
      Iterator<Batch> batches = loader.iterator();
      batches.next();
      assertEquals(Shape.of(1, 2, 2), batches.next().tensor("matrix").shape());
    }
  }

  @Test
  void batch_afterTheNext_isClosed() {
    try (DataLoader loader = loader(new Mixed(4, 0), 2, 2)) {
      Iterator<Batch> batches = loader.iterator();
      Batch first = batches.next();
      batches.next();
      assertThrows(IllegalStateException.class, () -> first.tensor("pair"));
      assertThrows(IllegalStateException.class, first::keep);
    }
  }

  @Test
  void keptBatch_afterTheLoaderIsClosed_keepsEveryKindOfColumn() {
    Batch kept;
    try (DataLoader loader = loader(new Mixed(4, 4), 4, 2)) {
      kept = loader.iterator().next().keep();
    }
    try (kept) {
      assertEquals("ää", kept.strings("text").get(2));
      assertArrayEquals(new byte[] {3, 3, 3}, kept.bytes("blob", 3));
      assertArrayEquals(new long[] {0, 1, 5, 8, 10}, kept.ragged("matrix").offsets().toLongs());
      assertEquals(3, kept.tensor("pair").doubleAt(6));
    }
    assertThrows(IllegalStateException.class, () -> kept.tensor("pair"));
  }

  @Test
  void column_unknownName_listsTheNames() {
    try (DataLoader loader = loader(new Mixed(4, 0), 4, 0)) {
      Batch batch = loader.iterator().next();
      var error = assertThrows(IllegalArgumentException.class, () -> batch.tensor("pairs"));
      assertMentions(error, "[text, blob, matrix, pair]");
      assertThrows(IllegalArgumentException.class, () -> batch.strings("blob"));
    }
  }
}
