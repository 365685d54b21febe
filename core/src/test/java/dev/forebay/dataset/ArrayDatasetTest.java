package dev.forebay.dataset;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.memory.DType;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Shape;
import dev.forebay.testing.Gen;
import dev.forebay.testing.LeakCheck;
import dev.forebay.testing.Property;
import dev.forebay.transform.Sample;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class ArrayDatasetTest {

  @Test
  void fields_ofEveryPrimitiveType_keepTheirValues() throws IOException {
    try (ArrayDataset dataset =
        ArrayDataset.builder()
            .field("bytes", new byte[] {1, -1})
            .field("shorts", new short[] {2, Short.MIN_VALUE})
            .field("chars", new char[] {3, '\uffff'})
            .field("ints", new int[] {4, Integer.MIN_VALUE})
            .field("longs", new long[] {5, Long.MIN_VALUE})
            .field("floats", new float[] {6, -0.5f})
            .field("doubles", new double[] {7, Double.MIN_VALUE})
            .field("booleans", new boolean[] {false, true})
            .build()) {
      assertEquals(2, dataset.size());
      assertEquals(
          List.of(
              "uint8[]: 255",
              "int16[]: -32768",
              "uint16[]: 65535",
              "int32[]: -2147483648",
              "int64[]: -9223372036854775808",
              "float32[]: -0.5",
              "float64[]: 4.9E-324",
              "bool[]: 1"),
          Loaded.sample(dataset, 1));
      assertEquals("bool[]: 0", Loaded.sample(dataset, 0).getLast());
    }
  }

  @Test
  void field_withRowShape_isCutIntoRowsOfThatShape() throws IOException {
    int[] numbers = new int[2 * 24];
    for (int index = 0; index < numbers.length; index++) {
      numbers[index] = index;
    }
    try (ArrayDataset dataset =
        ArrayDataset.builder()
            .field("vector", numbers, 24)
            .field("matrix", numbers, 6, 4)
            .field("four", numbers, 1, 2, 3, 4)
            .build()) {
      assertEquals(2, dataset.size());
      assertEquals(Shape.of(1, 2, 3, 4), dataset.schema().field(2).shape());
      List<String> second = Loaded.sample(dataset, 1);
      assertTrue(second.get(0).startsWith("int32[24]: 24 25 26 "), second::toString);
      assertTrue(second.get(1).startsWith("int32[6, 4]: 24 25 26 "), second::toString);
      assertTrue(second.get(2).startsWith("int32[1, 2, 3, 4]: 24 25 26 "), second::toString);
      assertTrue(second.get(2).endsWith(" 46 47"), second::toString);
    }
  }

  @Test
  void fields_textsAndBytes_keepEveryLength() throws IOException {
    try (ArrayDataset dataset =
        ArrayDataset.builder()
            .field("text", new String[] {"", "süß 🐟", "x"})
            .field("data", new byte[][] {{1, 2, 3}, {}, {-1}})
            .build()) {
      assertEquals(List.of("", "uint8[3]: 1 2 3"), Loaded.sample(dataset, 0));
      assertEquals(List.of("süß 🐟", "uint8[0]: "), Loaded.sample(dataset, 1));
      assertEquals(List.of("x", "uint8[1]: 255"), Loaded.sample(dataset, 2));
      long longest = "süß 🐟".getBytes(StandardCharsets.UTF_8).length;
      assertEquals(longest, dataset.schema().field(0).bytesMax());
    }
  }

  @Test
  void texts_anyList_areReadBackAsTheyWere() {
    Property.check(
        Gen.lists(Gen.longs(Long.MIN_VALUE, Long.MAX_VALUE).map(Long::toHexString), 50),
        texts -> {
          try (ArrayDataset dataset =
              ArrayDataset.builder().field("text", texts.toArray(new String[0])).build()) {
            assertEquals(texts.size(), dataset.size());
            for (int row = 0; row < texts.size(); row++) {
              assertEquals(texts.get(row), Loaded.sample(dataset, row).getFirst());
            }
          }
        });
  }

  @Test
  void nativeMemory_ofTheCaller_isUsedWithoutACopyAndLeftAlone() throws IOException {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_SHORT, (short) 10, (short) 11);
      try (ArrayDataset dataset =
          ArrayDataset.builder().field("half", DType.BFLOAT16, memory).build()) {
        assertEquals(List.of("bfloat16[]: 11"), Loaded.sample(dataset, 1));
        memory.setAtIndex(ValueLayout.JAVA_SHORT, 1, (short) 99);
        assertEquals(List.of("bfloat16[]: 99"), Loaded.sample(dataset, 1));
      }
      assertEquals(99, memory.getAtIndex(ValueLayout.JAVA_SHORT, 1));
    }
  }

  @Test
  void load_rows_areReadOnlyViewsOfOneMemory() {
    try (ArrayDataset dataset = ArrayDataset.builder().field("x", new int[] {1, 2}).build();
        Sample sample = new Sample(dataset.schema(), MemoryBudget.unlimited("sample"))) {
      dataset.load(0, sample);
      MemorySegment first = sample.value(0).segment();
      dataset.load(1, sample);
      assertEquals(first, sample.value(0).segment());
      assertEquals(4, sample.value(0).offset());
      assertTrue(first.isReadOnly(), "a transform must not be able to change the dataset");
    }
  }

  @Test
  void build_arrayChangedLater_keepsTheOldValues() throws IOException {
    long[] numbers = {1, 2};
    try (ArrayDataset dataset = ArrayDataset.builder().field("x", numbers).build()) {
      numbers[0] = 7;
      assertEquals(List.of(1L, 2L), Loaded.numbers(dataset));
    }
  }

  @Test
  void fingerprint_contentNameTypeOrShapeDiffers_differs() {
    ArrayDataset.Builder base = ArrayDataset.builder().field("x", new int[] {1, 2, 3, 4});
    List<ArrayDataset.Builder> others =
        List.of(
            ArrayDataset.builder().field("x", new int[] {1, 2, 3, 5}),
            ArrayDataset.builder().field("y", new int[] {1, 2, 3, 4}),
            ArrayDataset.builder().field("x", new int[] {1, 2, 3, 4}, 2),
            ArrayDataset.builder().field("x", new float[] {1, 2, 3, 4}),
            ArrayDataset.builder().field("x", new String[] {"12", "3"}),
            ArrayDataset.builder().field("x", new String[] {"1", "23"}),
            ArrayDataset.builder().field("x", new byte[][] {{'1'}, {'2', '3'}}),
            ArrayDataset.builder().field("x", new int[] {1, 2, 3, 4}).identity("v1"),
            ArrayDataset.builder().field("x", new int[] {1, 2, 3, 4}).identity("v2"));
    List<String> fingerprints = others.stream().map(ArrayDatasetTest::fingerprint).toList();
    assertEquals(others.size(), fingerprints.stream().distinct().count());
    assertTrue(!fingerprints.contains(fingerprint(base)), fingerprints::toString);
    assertEquals(fingerprint(base), fingerprint(base));
    assertTrue(fingerprint(base).matches("arrays-[0-9a-f]{32}"), () -> fingerprint(base));
  }

  private static String fingerprint(ArrayDataset.Builder builder) {
    try (ArrayDataset dataset = builder.build()) {
      return dataset.fingerprint();
    }
  }

  @Test
  void fingerprint_computedOnce_isKept() {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocateFrom(ValueLayout.JAVA_LONG, 1, 2);
      try (ArrayDataset dataset = ArrayDataset.builder().field("x", DType.INT64, memory).build()) {
        String before = dataset.fingerprint();
        memory.set(ValueLayout.JAVA_LONG, 0, 3);
        assertEquals(before, dataset.fingerprint());
      }
      try (ArrayDataset dataset = ArrayDataset.builder().field("x", DType.INT64, memory).build()) {
        assertNotEquals(
            fingerprint(ArrayDataset.builder().field("x", new long[] {1, 2})),
            dataset.fingerprint());
      }
    }
  }

  @Test
  void build_rowCountsDiffer_namesBothFields() {
    ArrayDataset.Builder builder =
        ArrayDataset.builder().field("a", new int[6], 3).field("b", new String[] {"x"});
    assertMentions(
        assertThrows(IllegalArgumentException.class, builder::build),
        "field b has 1 rows",
        "field a has 2");
  }

  @Test
  void build_withoutFieldsOrWithOneNameTwice_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> ArrayDataset.builder().build());
    ArrayDataset.Builder twice =
        ArrayDataset.builder().field("a", new int[1]).field("a", new int[1]);
    assertMentions(assertThrows(IllegalArgumentException.class, twice::build), "a");
  }

  @Test
  void field_impossibleValues_areRefusedByName() {
    ArrayDataset.Builder builder = ArrayDataset.builder();
    assertMentions(
        assertThrows(IllegalArgumentException.class, () -> builder.field("a", new int[7], 2, 2)),
        "field a",
        "28 bytes",
        "[2, 2]");
    assertThrows(IllegalArgumentException.class, () -> builder.field("a", new int[7], 0));
    assertMentions(
        assertThrows(IllegalArgumentException.class, () -> builder.field("a", new int[4], -1)),
        "[?]");
    assertMentions(
        assertThrows(
            NullPointerException.class, () -> builder.field("a", new byte[][] {{1}, null})),
        "a");
  }

  @Test
  void field_memoryThatWorkersCannotRead_isRefused() {
    ArrayDataset.Builder builder = ArrayDataset.builder();
    MemorySegment heap = MemorySegment.ofArray(new long[2]);
    try (Arena confined = Arena.ofConfined()) {
      MemorySegment own = confined.allocate(16);
      for (MemorySegment memory : List.of(heap, own)) {
        assertMentions(
            assertThrows(
                IllegalArgumentException.class, () -> builder.field("a", DType.INT64, memory)),
            "field a",
            "native");
      }
    }
  }

  @Test
  void load_idOutOfRange_isRefused() {
    try (ArrayDataset dataset = ArrayDataset.builder().field("x", new int[2]).build()) {
      assertThrows(IndexOutOfBoundsException.class, () -> Loaded.sample(dataset, 2));
      assertThrows(IndexOutOfBoundsException.class, () -> Loaded.sample(dataset, -1));
    }
  }

  @Test
  void close_twice_isHarmlessAndEndsUse() {
    ArrayDataset dataset = ArrayDataset.builder().field("x", new int[2]).build();
    dataset.close();
    dataset.close();
    assertThrows(IllegalStateException.class, () -> Loaded.sample(dataset, 0));
  }

  @Test
  void build_noRows_isAnEmptyDataset() {
    try (ArrayDataset dataset =
        ArrayDataset.builder().field("x", new int[0], 3).field("t", new String[0]).build()) {
      assertEquals(0, dataset.size());
      assertEquals(dataset.fingerprint(), dataset.fingerprint());
    }
  }
}
