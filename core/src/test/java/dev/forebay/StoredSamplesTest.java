package dev.forebay;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.dataset.Dataset;
import dev.forebay.error.SampleException;
import dev.forebay.memory.Field;
import dev.forebay.memory.Mix64;
import dev.forebay.memory.Schema;
import dev.forebay.pipeline.ErrorPolicy;
import dev.forebay.pipeline.SkipBudget;
import dev.forebay.stats.LoaderStats;
import dev.forebay.storage.FaultyStorage;
import dev.forebay.storage.FaultyStorage.Fault;
import dev.forebay.storage.LocalFiles;
import dev.forebay.storage.ObjectRange;
import dev.forebay.testing.LeakCheck;
import dev.forebay.transform.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples whose bytes are read from storage, ahead of the workers. */
@ExtendWith(LeakCheck.class)
class StoredSamplesTest {
  private static final int SIZE = 60;

  @TempDir private Path folder;

  /** File i of a folder holds i times 37 bytes, but for some that are large. */
  private record Blobs(Path folder, long size) implements Dataset {
    static Blobs make(Path folder, int largeBytes) throws IOException {
      for (int id = 0; id < SIZE; id++) {
        Files.write(folder.resolve(String.valueOf(id)), content(id, largeBytes));
      }
      return new Blobs(folder, SIZE);
    }

    static byte[] content(int id, int largeBytes) {
      byte[] content = new byte[id % 20 == 13 ? largeBytes : id * 37];
      for (int i = 0; i < content.length; i++) {
        content[i] = (byte) Mix64.mix(id * 1_000_003L + i);
      }
      return content;
    }

    @Override
    public String fingerprint() {
      return "blobs";
    }

    @Override
    public Schema schema() {
      return Schema.of(Field.bytes("blob"));
    }

    @Override
    public int storedField() {
      return 0;
    }

    @Override
    public void locate(long id, ObjectRange range) {
      range.set(describe(id), 0, ObjectRange.TO_END);
    }

    @Override
    public void load(long id, Sample sample) {}

    @Override
    public String describe(long id) {
      return folder.resolve(String.valueOf(id)).toString();
    }
  }

  private static DataLoader.Builder builder(Dataset dataset, int workers) {
    return DataLoader.builder(dataset).batchSize(7).shuffle(true).seed(5).workers(workers);
  }

  /** Checks all contents; gives the ids in their order. */
  private static List<Long> drain(DataLoader loader, int largeBytes) {
    List<Long> ids = new ArrayList<>();
    for (Batch batch : loader) {
      for (int row = 0; row < batch.size(); row++) {
        int id = (int) batch.id(row);
        assertArrayEquals(Blobs.content(id, largeBytes), batch.bytes("blob", row));
        ids.add(batch.id(row));
      }
    }
    return ids;
  }

  @Test
  void objects_anyWorkersAndReaders_arriveWholeAndInOneOrder() throws IOException {
    Blobs dataset = Blobs.make(folder, 100_000);
    List<List<Long>> orders = new ArrayList<>();
    for (int workers : new int[] {0, 1, 2, 7}) {
      try (DataLoader loader = builder(dataset, workers).ioThreads(workers + 1).build()) {
        orders.add(drain(loader, 100_000));
      }
    }
    assertEquals(SIZE, orders.get(0).size());
    for (List<Long> order : orders) {
      assertEquals(orders.get(0), order);
    }
  }

  /** Three objects want the whole budget each, at about the same time. */
  @Test
  void readAheadBudget_holdsOneLargeObject_isEnoughForAll() throws IOException {
    int largeBytes = 900_000;
    Blobs dataset = Blobs.make(folder, largeBytes);
    try (DataLoader loader = builder(dataset, 3).readAheadBytes(1 << 20).build()) {
      for (int epoch = 0; epoch < 3; epoch++) {
        assertEquals(SIZE, drain(loader, largeBytes).size());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void readAheadBudget_smallerThanAnObject_saysSo(int workers) throws IOException {
    Blobs dataset = Blobs.make(folder, 900_000);
    try (DataLoader loader = builder(dataset, workers).readAheadBytes(200_000).build()) {
      SampleException error = assertThrows(SampleException.class, () -> drain(loader, 900_000));
      assertMentions(error, "read-ahead");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void faultyStorage_skip_leavesOutJustWhatFailed(int workers) throws IOException {
    Blobs dataset = Blobs.make(folder, 5000);
    FaultyStorage storage =
        FaultyStorage.over(LocalFiles.open(), 17)
            .with(Fault.ERROR, 0.1)
            .with(Fault.VANISH, 0.1)
            .withDelay(0.2, () -> LockSupport.parkNanos(100_000));
    TreeSet<Long> expected = new TreeSet<>();
    for (long id = 0; id < SIZE; id++) {
      String location = dataset.describe(id);
      if (!storage.strikes(Fault.ERROR, location, 0, 0)
          && !storage.strikes(Fault.VANISH, location, 0, 0)) {
        expected.add(id);
      }
    }
    assertTrue(expected.size() > SIZE / 2 && expected.size() < SIZE, "the seed must strike some");
    try (storage;
        DataLoader loader =
            builder(dataset, workers)
                .store(storage)
                .onError(ErrorPolicy.skip(SkipBudget.rate(0.5)))
                .epochs(1)
                .build()) {
      assertEquals(expected, new TreeSet<>(drain(loader, 5000)));
      LoaderStats stats = loader.stats();
      assertEquals(SIZE - expected.size(), stats.skipped());
      assertEquals(SIZE - expected.size(), stats.badSamples().size());
    }
  }

  /** Substitutes are large and many workers want them at once, while readers hold their memory. */
  @Test
  void substitutes_largeObjectsAndASmallBudget_areReadAndAgree() throws IOException {
    Blobs.make(folder, 900_000);
    Blobs dataset = new Blobs(folder, SIZE * 2);
    List<List<Long>> orders = new ArrayList<>();
    for (int workers : new int[] {0, 1, 5}) {
      try (DataLoader loader =
          builder(dataset, workers)
              .readAheadBytes(1 << 20)
              .onError(ErrorPolicy.substitute(SkipBudget.rate(1)))
              .build()) {
        orders.add(drain(loader, 900_000));
      }
    }
    assertEquals(SIZE * 2, orders.get(0).size());
    assertEquals(orders.get(0), orders.get(1));
    assertEquals(orders.get(0), orders.get(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void fileRemovedMidEpoch_fail_namesFileAndCause(int workers) throws IOException {
    Blobs dataset = Blobs.make(folder, 5000);
    Path gone = folder.resolve("31");
    Files.delete(gone);
    try (DataLoader loader = builder(dataset, workers).build()) {
      SampleException error = assertThrows(SampleException.class, () -> drain(loader, 5000));
      assertMentions(error, gone.toString());
      assertMentions(error, "storage");
    }
  }
}
