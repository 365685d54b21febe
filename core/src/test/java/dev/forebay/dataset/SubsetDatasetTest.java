package dev.forebay.dataset;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.storage.ObjectRange;
import dev.forebay.testing.Gen;
import dev.forebay.testing.Property;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SubsetDatasetTest {
  private static final int SIZE = 20;

  private static long[] array(List<Integer> numbers) {
    return numbers.stream().mapToLong(Integer::longValue).toArray();
  }

  @Test
  void load_anyIds_areThoseSamplesInThatOrder() {
    Property.check(
        Gen.lists(Gen.ints(0, SIZE - 1), 60),
        ids -> {
          SubsetDataset subset = SubsetDataset.of(Loaded.numbersFrom(100, SIZE), array(ids));
          assertEquals(ids.stream().map(id -> 100L + id).toList(), Loaded.numbers(subset));
        });
  }

  @Test
  void subsetOfSubset_anyIds_equalsOneSubset() {
    Property.check(
        Gen.lists(Gen.ints(0, 2), 10),
        ids -> {
          Dataset base = Loaded.numbersFrom(0, SIZE);
          SubsetDataset nested = SubsetDataset.of(SubsetDataset.of(base, 5, 5, 19), array(ids));
          long[] flat = ids.stream().mapToLong(id -> id == 2 ? 19 : 5).toArray();
          SubsetDataset direct = SubsetDataset.of(base, flat);
          assertEquals(Loaded.numbers(direct), Loaded.numbers(nested));
          assertEquals(direct.fingerprint(), nested.fingerprint());
        });
  }

  @Test
  void storedSamples_locationAndDescription_comeFromBelow() {
    SubsetDataset subset = SubsetDataset.of(StoredDataset.of("a", "b", "c"), 2, 0);
    assertEquals(0, subset.storedField());
    assertEquals("file c", subset.describe(0));
    try (ObjectRange range = new ObjectRange()) {
      subset.locate(0, range);
      assertEquals("/c", range.location());
      subset.locate(1, range);
      assertEquals("/a", range.location());
    }
  }

  @Test
  void of_idsChangedLater_keepsTheOldOnes() throws IOException {
    long[] ids = {1, 2};
    SubsetDataset subset = SubsetDataset.of(Loaded.numbersFrom(0, 3), ids);
    ids[0] = 0;
    assertEquals(List.of(1L, 2L), Loaded.numbers(subset));
  }

  @Test
  void of_idThatIsNoSample_isRefused() {
    Dataset base = Loaded.numbersFrom(0, 3);
    assertMentions(
        assertThrows(IndexOutOfBoundsException.class, () -> SubsetDataset.of(base, 0, 3)),
        "ids[1]=3",
        "has 3");
    assertThrows(IndexOutOfBoundsException.class, () -> SubsetDataset.of(base, -1));
    SubsetDataset subset = SubsetDataset.of(base, 0);
    assertThrows(IndexOutOfBoundsException.class, () -> Loaded.sample(subset, 1));
    assertThrows(IndexOutOfBoundsException.class, () -> subset.describe(-1));
  }

  @Test
  void fingerprint_idsOrDatasetDiffer_differs() {
    Dataset base = Loaded.numbersFrom(0, 3);
    String fingerprint = SubsetDataset.of(base, 0, 1).fingerprint();
    assertEquals(fingerprint, SubsetDataset.of(base, 0, 1).fingerprint());
    assertNotEquals(fingerprint, SubsetDataset.of(base, 1, 0).fingerprint());
    assertNotEquals(fingerprint, SubsetDataset.of(Loaded.numbersFrom(1, 3), 0, 1).fingerprint());
  }

  @Test
  void close_ofTheView_leavesTheDatasetOpen() throws IOException {
    try (ArrayDataset base = ArrayDataset.builder().field("x", new long[] {4, 5}).build()) {
      SubsetDataset subset = SubsetDataset.of(base, 1);
      subset.close();
      assertTrue(Loaded.numbers(subset).equals(List.of(5L)));
    }
  }
}
