package dev.forebay.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PagesTest {
  @Test
  void allocate_anySize_isClearedAlignedAndWritable() {
    for (long bytes : new long[] {1, 4095, 4096, 4097, 1 << 20, 10_000_019}) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment memory = Pages.allocate(arena, bytes);
        assertEquals(bytes, memory.byteSize());
        assertEquals(0, memory.address() % 4096);
        assertEquals(0, memory.get(ValueLayout.JAVA_BYTE, bytes - 1));
        memory.fill((byte) 7);
        assertEquals(7, memory.get(ValueLayout.JAVA_BYTE, bytes - 1));
        assertThrows(
            IndexOutOfBoundsException.class, () -> memory.get(ValueLayout.JAVA_BYTE, bytes));
      }
    }
    try (Arena arena = Arena.ofShared()) {
      assertThrows(IllegalArgumentException.class, () -> Pages.allocate(arena, 0));
    }
  }

  /** 200 times 64 MiB would not fit; and memory is taken when it is touched, not before. */
  @Test
  void allocate_manyTimes_givesMemoryBackWithItsArena() throws IOException {
    long before = residentKibibytes();
    for (int round = 0; round < 200; round++) {
      try (Arena arena = Arena.ofShared()) {
        MemorySegment memory = Pages.allocate(arena, 64 << 20);
        memory.set(ValueLayout.JAVA_BYTE, 12_345, (byte) 1);
        memory.asSlice(1 << 20, 1 << 20).fill((byte) round);
      }
    }
    long grown = residentKibibytes() - before;
    assertTrue(grown < 64 << 10, "grown by " + grown + " KiB");
  }

  private static long residentKibibytes() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .sum();
  }

  @Test
  void closedArena_memory_cannotBeUsed() {
    MemorySegment memory;
    try (Arena arena = Arena.ofShared()) {
      memory = Pages.allocate(arena, 100);
    }
    assertThrows(IllegalStateException.class, () -> memory.get(ValueLayout.JAVA_BYTE, 0));
  }
}
