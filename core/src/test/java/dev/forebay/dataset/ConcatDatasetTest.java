package dev.forebay.dataset;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.forebay.storage.ObjectRange;
import dev.forebay.testing.Gen;
import dev.forebay.testing.Property;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConcatDatasetTest {

  @Test
  void load_anySizes_areAllSamplesOfOnePartAfterTheOther() {
    Property.check(
        Gen.lists(Gen.ints(0, 4), 12).map(sizes -> sizes.isEmpty() ? List.of(0) : sizes),
        sizes -> {
          List<Dataset> parts = new ArrayList<>();
          List<Long> expected = new ArrayList<>();
          for (int size : sizes) {
            Dataset part = Loaded.numbersFrom(100L * parts.size(), size);
            parts.add(part);
            expected.addAll(Loaded.numbers(part));
          }
          ConcatDataset whole = ConcatDataset.of(parts.toArray(new Dataset[0]));
          assertEquals(expected.size(), whole.size());
          assertEquals(expected, Loaded.numbers(whole));
        });
  }

  @Test
  void concatOfConcat_isTheConcatOfAllParts() throws IOException {
    Dataset a = Loaded.numbersFrom(0, 2);
    Dataset b = Loaded.numbersFrom(10, 0);
    Dataset c = Loaded.numbersFrom(20, 3);
    ConcatDataset nested = ConcatDataset.of(a, ConcatDataset.of(b, c));
    assertEquals(ConcatDataset.of(a, b, c).fingerprint(), nested.fingerprint());
    assertEquals(List.of(0L, 1L, 20L, 21L, 22L), Loaded.numbers(nested));
  }

  @Test
  void storedSamples_locationAndDescription_comeFromTheirPart() {
    ConcatDataset whole =
        ConcatDataset.of(StoredDataset.of("a"), SubsetDataset.of(StoredDataset.of("b", "c"), 1, 0));
    assertEquals(0, whole.storedField());
    assertEquals("file c", whole.describe(1));
    try (ObjectRange range = new ObjectRange()) {
      whole.locate(2, range);
      assertEquals("/b", range.location());
    }
  }

  @Test
  void of_fieldsThatDiffer_areNamed() {
    try (ArrayDataset ints = ArrayDataset.builder().field("label", new int[1]).build();
        ArrayDataset longs = ArrayDataset.builder().field("label", new long[1]).build();
        ArrayDataset shaped = ArrayDataset.builder().field("label", new int[2], 2).build();
        ArrayDataset other = ArrayDataset.builder().field("target", new int[1]).build();
        ArrayDataset two =
            ArrayDataset.builder().field("label", new int[1]).field("x", new int[1]).build()) {
      assertMentions(refused(ints, ints, longs), "dataset 2", "'label'", "int64[]", "int32[]");
      assertMentions(refused(ints, shaped), "dataset 1", "int32[2]");
      assertMentions(refused(ints, other), "'target'", "'label'");
      assertMentions(refused(ints, two), "2 fields", "[label, x]");
    }
  }

  private static Throwable refused(Dataset... parts) {
    return assertThrows(IllegalArgumentException.class, () -> ConcatDataset.of(parts));
  }

  @Test
  void of_storedAndInMemoryField_isRefused() {
    try (ArrayDataset memory = ArrayDataset.builder().field("data", new byte[][] {{1}}).build()) {
      assertMentions(refused(StoredDataset.of("a"), memory), "dataset 1", "stored field -1");
    }
    assertThrows(IllegalArgumentException.class, ConcatDataset::of);
  }

  @Test
  void of_roomInRowsDiffers_takesTheLargest() {
    try (ArrayDataset small = ArrayDataset.builder().field("t", new String[] {"ab"}).build();
        ArrayDataset large = ArrayDataset.builder().field("t", new String[] {"abcd"}).build()) {
      assertEquals(4, ConcatDataset.of(small, large).schema().field(0).bytesMax());
      assertEquals(4, ConcatDataset.of(large, small).schema().field(0).bytesMax());
    }
  }

  @Test
  void fingerprint_partsOrTheirOrderDiffer_differs() {
    Dataset a = Loaded.numbersFrom(0, 2);
    Dataset b = Loaded.numbersFrom(10, 2);
    assertNotEquals(ConcatDataset.of(a, b).fingerprint(), ConcatDataset.of(b, a).fingerprint());
    assertNotEquals(ConcatDataset.of(a).fingerprint(), ConcatDataset.of(a, a).fingerprint());
  }

  @Test
  void load_idOutOfRange_isRefused() {
    ConcatDataset whole = ConcatDataset.of(Loaded.numbersFrom(0, 2), Loaded.numbersFrom(0, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> Loaded.sample(whole, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> Loaded.sample(whole, -1));
  }
}
