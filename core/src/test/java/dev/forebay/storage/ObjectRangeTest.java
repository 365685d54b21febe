package dev.forebay.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ObjectRangeTest {
  @Test
  void append_afterSet_extendsTheLocationAndKeepsTheRange() {
    try (var range = new ObjectRange()) {
      range.set("a".repeat(200) + "/", 3, 4);
      MemorySegment text = MemorySegment.ofArray("xxünyy".getBytes(StandardCharsets.UTF_8));
      range.append(text, 2, 3);
      range.append(MemorySegment.ofArray(new byte[500]), 0, 0);

      assertEquals("a".repeat(200) + "/ün", range.location());
      assertEquals("a".repeat(200) + "/ün", range.locationUtf8().getString(0));
      assertEquals(3, range.offset());
      assertEquals(4, range.length());

      range.set("b", 0, ObjectRange.TO_END);
      assertEquals("b", range.locationUtf8().getString(0));
    }
  }
}
