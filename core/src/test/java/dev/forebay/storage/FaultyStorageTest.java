package dev.forebay.storage;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.storage.FaultyStorage.Fault;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultyStorageTest extends ObjectStoreContract {
  private static final int OBJECTS = 200;

  @TempDir Path folder;

  private final FaultyStorage storage = FaultyStorage.over(LocalFiles.open(), 17);

  @Override
  ObjectStore store() {
    return storage;
  }

  @Override
  String create(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content).toString();
  }

  @AfterEach
  void closeStore() {
    assertEquals(0, storage.running());
    storage.close();
    assertTrue(storage.isClosed());
  }

  private String object(int i) throws IOException {
    return create("object-" + i, randomBytes(i, 100));
  }

  @Test
  void error_withProbability_strikesAsForetoldAndPassesOnRetry() throws IOException {
    storage.with(Fault.ERROR, 0.3);
    int failed = 0;
    for (int i = 0; i < OBJECTS; i++) {
      String location = object(i);
      int attempt = 0;
      while (storage.strikes(Fault.ERROR, location, 0, attempt)) {
        assertThrows(FileSystemException.class, () -> read(location, 0, 100));
        attempt++;
        failed++;
      }
      assertArrayEquals(randomBytes(i, 100), read(location, 0, 100));
    }

    assertEquals(failed, storage.injected(Fault.ERROR));
    assertEquals(failed + OBJECTS, storage.calls());
    assertTrue(failed > 50 && failed < 130, failed + " of about 86");
  }

  @Test
  void vanish_whenItStrikes_isForEver() throws IOException {
    storage.with(Fault.VANISH, 0.5);
    int vanished = 0;
    for (int i = 0; i < OBJECTS; i++) {
      String location = object(i);
      if (storage.strikes(Fault.VANISH, location, 0, 0)) {
        vanished++;
        assertThrows(NoSuchFileException.class, () -> read(location, 0, 100));
        assertThrows(NoSuchFileException.class, () -> read(location, 5, ObjectRange.TO_END));
      } else {
        assertArrayEquals(randomBytes(i, 100), read(location, 0, 100));
      }
    }

    assertTrue(vanished > 60 && vanished < 140, vanished + " of about 100");
  }

  @Test
  void truncation_ofAnObject_shortensItOrEndsTheRange() throws IOException {
    storage.with(Fault.TRUNCATION, 1);
    String location = object(1);

    assertEquals(50, read(location, 0, ObjectRange.TO_END).length);
    assertThrows(EOFException.class, () -> read(location, 0, 100));
  }

  @Test
  void bitFlip_always_changesExactlyOneBit() throws IOException {
    storage.with(Fault.BIT_FLIP, 1);
    byte[] read = read(object(1), 0, 100);
    byte[] original = randomBytes(1, 100);
    int place = Arrays.mismatch(read, original);

    assertEquals(1, Integer.bitCount((read[place] ^ original[place]) & 0xff));
    read[place] = original[place];
    assertArrayEquals(original, read);
  }

  @Test
  void delay_runsTheHookBeforeTheRead() throws IOException {
    var delays = new AtomicInteger();
    storage.withDelay(1, delays::incrementAndGet);
    object(1);
    read(folder.resolve("object-1").toString(), 0, 100);

    assertEquals(1, delays.get());
    assertEquals(1, storage.runningMax());
    assertFalse(storage.isClosed());
  }
}
