package dev.forebay.storage;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.NativeBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every {@link ObjectStore} promises. */
abstract class ObjectStoreContract {
  private final MemoryBudget budget = new MemoryBudget("test", 1 << 26);
  final NativeBuffer into = new NativeBuffer(budget);
  final ObjectRange range = new ObjectRange();

  /** The store under test. */
  abstract ObjectStore store();

  /** Makes an object and returns its location. */
  abstract String create(String name, byte[] content) throws IOException;

  @AfterEach
  void freeBuffers() {
    into.close();
    range.close();
    assertEquals(0, budget.bytesLive());
  }

  byte[] read(String location, long offset, long length) throws IOException {
    range.set(location, offset, length);
    long bytes = store().read(range, into);
    return into.segment().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE);
  }

  static byte[] randomBytes(long seed, int bytes) {
    byte[] content = new byte[bytes];
    new SplittableRandom(seed).nextBytes(content);
    return content;
  }

  @Test
  void read_wholeObject_givesItsBytes() throws IOException {
    for (int bytes : new int[] {1, 255, 256, 4096, 65_535, 65_536, 65_537, 1_000_003}) {
      byte[] content = randomBytes(bytes, bytes);
      String location = create("object-" + bytes, content);

      assertArrayEquals(content, read(location, 0, ObjectRange.TO_END), location);
    }
  }

  @Test
  void read_emptyObject_givesNothing() throws IOException {
    String location = create("empty", new byte[0]);

    assertEquals(0, read(location, 0, ObjectRange.TO_END).length);
    assertEquals(0, read(location, 0, 0).length);
  }

  @Test
  void read_randomRanges_givesExactlyThem() throws IOException {
    byte[] content = randomBytes(7, 100_000);
    String location = create("ranges", content);
    var random = new SplittableRandom(8);
    for (int round = 0; round < 200; round++) {
      int offset = random.nextInt(content.length + 1);
      int length = random.nextInt(content.length - offset + 1);

      assertArrayEquals(
          Arrays.copyOfRange(content, offset, offset + length), read(location, offset, length));
      assertArrayEquals(
          Arrays.copyOfRange(content, offset, content.length),
          read(location, offset, ObjectRange.TO_END));
    }
  }

  @Test
  void read_rangeBeyondTheEnd_saysWhereTheObjectEnds() throws IOException {
    String location = create("short", randomBytes(1, 100));

    var beyond = assertThrows(EOFException.class, () -> read(location, 90, 11));
    assertMentions(beyond, location);
    assertMentions(beyond, "100");
    assertThrows(EOFException.class, () -> read(location, 101, ObjectRange.TO_END));
    assertThrows(EOFException.class, () -> read(location, 101, 0));
    assertThrows(EOFException.class, () -> read(location, 0, Long.MAX_VALUE));
    assertThrows(EOFException.class, () -> read(location, Long.MAX_VALUE, Long.MAX_VALUE));
  }

  @Test
  void read_hugeRangeOfSmallObject_takesNoMemory() throws IOException {
    String location = create("small", randomBytes(1, 100));

    assertThrows(EOFException.class, () -> read(location, 0, 1L << 50));
    assertTrue(into.capacity() < 1 << 16, "capacity " + into.capacity());
  }

  @Test
  void read_missingObject_isNoSuchFile() throws IOException {
    String location = create("present", new byte[1]) + "-not";

    var missing = assertThrows(NoSuchFileException.class, () -> read(location, 0, 1));
    assertMentions(missing, location);
  }

  @Test
  void read_afterAnError_worksAgain() throws IOException {
    byte[] content = randomBytes(3, 1000);
    String location = create("again", content);
    assertThrows(IOException.class, () -> read(location + "-not", 0, ObjectRange.TO_END));

    assertArrayEquals(content, read(location, 0, ObjectRange.TO_END));
  }

  @Test
  void read_fromManyThreads_givesEachItsOwnBytes() throws Exception {
    int threads = 80; // more than any pool of scratch memory inside
    String[] locations = new String[4];
    for (int i = 0; i < locations.length; i++) {
      locations[i] = create("shared-" + i, randomBytes(i, 10_000 + i));
    }
    Concurrently.run(
        threads,
        thread -> {
          int i = thread % locations.length;
          byte[] expected = randomBytes(i, 10_000 + i);
          try (var buffer = new NativeBuffer(MemoryBudget.unlimited("test"));
              var own = new ObjectRange()) {
            own.set(locations[i], 0, ObjectRange.TO_END);
            for (int round = 0; round < 20; round++) {
              long bytes = store().read(own, buffer);
              assertArrayEquals(
                  expected, buffer.segment().asSlice(0, bytes).toArray(ValueLayout.JAVA_BYTE));
            }
          }
        });
  }
}
