package dev.forebay.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class GeneratedDatasetTest {
  private static final Schema NUMBER = Schema.of(Field.scalar("number", DType.INT64));

  private static GeneratedDataset of(long size, Schema schema, String identity) {
    return GeneratedDataset.of(size, schema, identity, (id, sample) -> sample.value(0).setLong(id));
  }

  @Test
  void load_anyId_isWhatTheGeneratorWrites() throws IOException {
    assertEquals(List.of(10L, 11L, 12L), Loaded.numbers(Loaded.numbersFrom(10, 3)));
  }

  @Test
  void load_hugeSize_takesNoMemory() throws IOException {
    GeneratedDataset dataset = of(1L << 48, NUMBER, "huge");
    assertEquals(List.of("int64[]: 281474976710655"), Loaded.sample(dataset, dataset.size() - 1));
  }

  @Test
  void load_idOutOfRange_isRefused() {
    GeneratedDataset dataset = of(3, NUMBER, "a");
    assertThrows(IndexOutOfBoundsException.class, () -> Loaded.sample(dataset, 3));
    assertThrows(IndexOutOfBoundsException.class, () -> Loaded.sample(dataset, -1));
  }

  @Test
  void fingerprint_sizeSchemaOrIdentityDiffers_differs() {
    String fingerprint = of(3, NUMBER, "two words").fingerprint();
    assertEquals(fingerprint, of(3, NUMBER, "two words").fingerprint());
    assertNotEquals(fingerprint, of(4, NUMBER, "two words").fingerprint());
    assertNotEquals(fingerprint, of(3, NUMBER, "twowords").fingerprint());
    Schema other = Schema.of(Field.scalar("index", DType.INT64));
    assertNotEquals(fingerprint, of(3, other, "two words").fingerprint());
    assertTrue(fingerprint.matches("\\S+"), fingerprint);
  }

  @Test
  void of_negativeSize_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> of(-1, NUMBER, "a"));
  }
}
