package dev.forebay;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.error.ConfigurationException;
import dev.forebay.error.LoaderException;
import dev.forebay.error.SampleException;
import dev.forebay.pipeline.ErrorPolicy;
import dev.forebay.pipeline.SkipBudget;
import dev.forebay.sampler.CoverageCertificate;
import dev.forebay.stats.Stage;
import dev.forebay.testing.Gate;
import dev.forebay.testing.LeakCheck;
import dev.forebay.transform.Transform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promises P8, P9 and P10: what goes wrong is named, bounded, and hangs nothing. */
@Timeout(60)
@ExtendWith(LeakCheck.class)
class LoaderFailuresTest {
  private static final long SIZE = 100;

  private static DataLoader.Builder builder(int workers) {
    return builder(NumbersDataset.of(SIZE).bad(id -> id % 30 == 13), workers);
  }

  private static DataLoader.Builder builder(NumbersDataset dataset, int workers) {
    return DataLoader.builder(dataset).batchSize(10).workers(workers);
  }

  private static List<Long> drain(DataLoader loader) {
    List<Long> numbers = new ArrayList<>();
    for (Batch batch : loader) {
      for (long number : batch.tensor("number").toLongs()) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  private static List<Long> goodNumbers() {
    return LongStream.range(0, SIZE).filter(id -> id % 30 != 13).boxed().toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void fail_badSample_isRaisedWithItsBatchAfterTheGoodOnes(int workers) {
    try (DataLoader loader = builder(workers).build()) {
      Iterator<Batch> iterator = loader.iterator();
      assertEquals(0, iterator.next().id(0));
      SampleException error = assertThrows(SampleException.class, iterator::next);
      assertEquals(13, error.sample());
      assertEquals(Stage.TRANSFORM, error.stage());
      assertMentions(error, "number 13 is bad", "sample=13", "on_error");
      assertSame(error, assertThrows(SampleException.class, iterator::next));
      assertEquals(10, loader.state().position(), "the failed batch was not delivered");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void skip_badSamples_areLeftOutCountedAndListed(int workers) {
    try (DataLoader loader =
        builder(workers).onError(ErrorPolicy.skip(SkipBudget.count(4))).build()) {
      for (int epoch = 1; epoch <= 2; epoch++) {
        assertEquals(goodNumbers(), drain(loader));
        assertEquals(3L * epoch, loader.stats().skipped());
        assertEquals(3, loader.stats().badSamples().size());
        assertEquals(3, loader.certificate().skipped().count());
        assertTrue(loader.certificate().covers(CoverageCertificate.expected(SIZE)));
      }
    }
  }

  @Test
  void skip_wholeBatchBad_isPassedOver() {
    NumbersDataset dataset = NumbersDataset.of(40).bad(id -> id < 10 || id >= 30);
    try (DataLoader loader =
        builder(dataset, 2).onError(ErrorPolicy.skip(SkipBudget.rate(0.5))).build()) {
      assertEquals(LongStream.range(10, 30).boxed().toList(), drain(loader));
      assertEquals(2, loader.stats().batches());
    }
  }

  @Test
  void substitute_badSamples_areReplacedTheSameWayEverywhere() {
    List<List<Long>> runs = new ArrayList<>();
    for (int workers : List.of(0, 1, 3)) {
      try (DataLoader loader =
          builder(workers).onError(ErrorPolicy.substitute(SkipBudget.rate(0.1))).build()) {
        List<Long> numbers = drain(loader);
        assertEquals(SIZE, numbers.size());
        assertTrue(numbers.stream().noneMatch(number -> number % 30 == 13));
        assertEquals(3, loader.stats().substituted());
        assertTrue(loader.certificate().covers(CoverageCertificate.expected(SIZE)));
        numbers.addAll(drain(loader));
        runs.add(numbers);
      }
    }
    assertEquals(runs.get(0), runs.get(1));
    assertEquals(runs.get(0), runs.get(2));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void skip_beyondTheBudget_failsAndListsTheBadSamples(int workers) {
    try (DataLoader loader =
        builder(workers).onError(ErrorPolicy.skip(SkipBudget.count(2))).build()) {
      LoaderException error = assertThrows(LoaderException.class, () -> drain(loader));
      assertMentions(error, "skip budget", "count 2", "is bad");
    }
  }

  @Test
  void substitute_everythingBad_failsInsteadOfSearchingForEver() {
    NumbersDataset dataset = NumbersDataset.of(100_000).bad(_ -> true);
    try (DataLoader loader =
        builder(dataset, 2).onError(ErrorPolicy.substitute(SkipBudget.rate(1))).build()) {
      LoaderException error = assertThrows(LoaderException.class, () -> drain(loader));
      assertMentions(error, "substitutes", "dataset as a whole");
    }
  }

  @Test
  void quarantine_laterRun_honoursItWithoutTryingAgain(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("deep/quarantine.jsonl");
    try (DataLoader loader =
        builder(2).onError(ErrorPolicy.skip(SkipBudget.count(9))).quarantine(file).build()) {
      drain(loader);
    }
    assertEquals(3, Files.readAllLines(file).size());
    Files.writeString(file, "{\"dataset\":\"torn", StandardOpenOption.APPEND);
    AtomicInteger tried = new AtomicInteger();
    NumbersDataset watched =
        NumbersDataset.of(SIZE).onLoad(id -> tried.addAndGet(id % 30 == 13 ? 1 : 0));
    try (DataLoader loader =
        builder(watched, 2)
            .onError(ErrorPolicy.skip(SkipBudget.count(0)))
            .quarantine(file)
            .build()) {
      assertEquals(goodNumbers(), drain(loader));
      assertEquals(0, tried.get());
      assertEquals(3, loader.stats().skipped());
    }
  }

  @Test
  void quarantine_damagedInTheMiddle_isRefusedWithTheLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("quarantine.jsonl");
    Files.writeString(file, "garbage\n{}\n");
    try (DataLoader loader = builder(2).quarantine(file).build()) {
      assertMentions(
          assertThrows(ConfigurationException.class, loader::iterator), "line 1", "garbage");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void outOfMemoryInAWorker_anyPolicy_reachesTheConsumer(int workers) {
    LongConsumer exhausted =
        id -> {
          if (id == 42) {
            throw new OutOfMemoryError("made for this test");
          }
        };
    NumbersDataset dataset = NumbersDataset.of(SIZE).onLoad(exhausted);
    try (DataLoader loader =
        builder(dataset, workers).onError(ErrorPolicy.skip(SkipBudget.rate(1))).build()) {
      Throwable error = assertThrows(Throwable.class, () -> drain(loader));
      assertTrue(String.valueOf(error).contains("made for this test"), error::toString);
    }
  }

  @Test
  void workerInit_throws_reachesTheConsumer() {
    try (DataLoader loader =
        builder(NumbersDataset.of(SIZE), 2)
            .workerInit(
                index -> {
                  if (index == 1) {
                    throw new IllegalArgumentException("no licence for worker 1");
                  }
                })
            .build()) {
      assertMentions(
          assertThrows(IllegalArgumentException.class, () -> drainSlowly(loader)), "no licence");
    }
  }

  /** Drains epochs until the failure, which may come late if the other worker does all the work. */
  private static void drainSlowly(DataLoader loader) {
    while (true) {
      drain(loader);
    }
  }

  @Test
  void transform_throws_namesStageSampleAndCause() {
    Transform picky =
        Transform.of(
            "picky",
            sample -> {
              if (sample.id() == 55) {
                throw new ArithmeticException("55 is odd");
              }
            });
    try (DataLoader loader =
        builder(NumbersDataset.of(SIZE), 2).transforms(List.of(picky)).build()) {
      SampleException error = assertThrows(SampleException.class, () -> drain(loader));
      assertMentions(error, "ArithmeticException: 55 is odd", "sample=55", "stage=transform");
      assertTrue(error.getCause() instanceof ArithmeticException);
    }
  }

  @Test
  void collate_throws_namesTheBatchAndItsSamples() {
    try (DataLoader loader =
        builder(NumbersDataset.of(SIZE), 2)
            .collate(
                rows -> {
                  throw new IllegalStateException("cannot collate");
                })
            .build()) {
      LoaderException error = assertThrows(LoaderException.class, () -> drain(loader));
      assertMentions(error, "collate", "batch ", "epoch 0", "cannot collate");
    }
  }

  @Test
  void timeout_stuckSample_isRaisedWithSampleStageAndStack() throws InterruptedException {
    Gate gate = new Gate("sample 7");
    NumbersDataset dataset = NumbersDataset.of(SIZE).onLoad(id -> passAt(gate, id, 7));
    try (DataLoader loader = builder(dataset, 2).timeout(Duration.ofMillis(50)).build()) {
      Iterator<Batch> batches = loader.iterator();
      gate.awaitArrival();
      LoaderException error =
          assertThrows(LoaderException.class, () -> batches.forEachRemaining(Batch::close));
      assertMentions(error, "timeout of 50 ms", "sample 7", "NumbersDataset.load");
      gate.open();
    }
  }

  /** Promise P9: what blocks is told while it blocks, and again, until it does not any more. */
  @Test
  void stuckSample_isReportedToTheLogWithStageAndStack() throws InterruptedException {
    Gate gate = new Gate("sample 7");
    NumbersDataset dataset = NumbersDataset.of(SIZE).onLoad(id -> passAt(gate, id, 7));
    List<String> reports = new CopyOnWriteArrayList<>();
    Logger log = Logger.getLogger("dev.forebay");
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            reports.add(record.getMessage());
            if (reports.size() == 2) {
              gate.open();
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    log.addHandler(handler);
    log.setUseParentHandlers(false);
    try (DataLoader loader = builder(dataset, 2).stallReportAfter(Duration.ofMillis(30)).build()) {
      Iterator<Batch> batches = loader.iterator();
      gate.awaitArrival();
      long rows = 0;
      while (batches.hasNext()) {
        rows += batches.next().size();
      }
      assertEquals(SIZE, rows);
    } finally {
      log.removeHandler(handler);
      log.setUseParentHandlers(true);
    }
    for (String report : reports.subList(0, 2)) {
      assertTrue(report.startsWith("waiting for "), report);
      assertTrue(report.contains("sample 7"), report);
      assertTrue(report.contains("NumbersDataset.load"), report);
    }
  }

  @Test
  void timeout_thenTheSampleArrives_iterationGoesOnWithoutLoss() {
    Gate gate = new Gate("sample 7");
    NumbersDataset dataset = NumbersDataset.of(SIZE).onLoad(id -> passAt(gate, id, 7));
    try (DataLoader loader = builder(dataset, 2).timeout(Duration.ofMillis(20)).build()) {
      Iterator<Batch> iterator = loader.iterator();
      assertThrows(LoaderException.class, iterator::next);
      gate.open();
      List<Long> numbers = new ArrayList<>();
      while (numbers.size() < SIZE) {
        try {
          for (long number : iterator.next().tensor("number").toLongs()) {
            numbers.add(number);
          }
        } catch (LoaderException slowMachine) {
          assertMentions(slowMachine, "timeout");
        }
      }
      assertEquals(LongStream.range(0, SIZE).boxed().toList(), numbers);
    }
  }

  private static void passAt(Gate gate, long id, long stuck) {
    if (id == stuck) {
      try {
        gate.pass();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void consumerInterrupted_whileWaiting_isToldAndCanGoOn() {
    Gate gate = new Gate("sample 0");
    NumbersDataset dataset = NumbersDataset.of(SIZE).onLoad(id -> passAt(gate, id, 0));
    try (DataLoader loader = builder(dataset, 1).build()) {
      Iterator<Batch> iterator = loader.iterator();
      Thread.currentThread().interrupt();
      assertMentions(assertThrows(LoaderException.class, iterator::next), "interrupted");
      assertTrue(Thread.interrupted(), "the flag is restored");
      gate.open();
      assertEquals(0, iterator.next().id(0));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void close_inEveryState_leavesNothingBehind(int workers) {
    builder(workers).build().close();
    DataLoader started = builder(workers).build();
    assertTrue(started.iterator().hasNext());
    started.close();
    started.close();
    assertThrows(IllegalStateException.class, started::iterator);
    DataLoader failed = builder(workers).build();
    assertThrows(SampleException.class, () -> drain(failed));
    failed.close();
    DataLoader lent = builder(workers).build();
    Batch batch = lent.iterator().next();
    lent.close();
    assertThrows(IllegalStateException.class, () -> batch.tensor("number"));
  }

  @Test
  void slowConsumer_boundedWork_isDoneAhead() {
    AtomicInteger loaded = new AtomicInteger();
    NumbersDataset dataset = NumbersDataset.of(100_000).onLoad(_ -> loaded.incrementAndGet());
    try (DataLoader loader = builder(dataset, 3).prefetchFactor(4).build()) {
      Iterator<Batch> iterator = loader.iterator();
      for (int batch = 1; batch <= 50; batch++) {
        iterator.next();
        assertTrue(
            loaded.get() <= (batch + 4) * 10, () -> "rows made beyond the ring: " + loaded.get());
      }
    }
  }

  @Test
  void settings_thatContradict_areRefusedAtOnce() {
    NumbersDataset dataset = NumbersDataset.of(10);
    assertThrows(
        IllegalArgumentException.class, () -> builder(dataset, 0).prefetchFactor(2).build());
    assertThrows(
        IllegalArgumentException.class, () -> builder(dataset, 0).persistentWorkers(true).build());
    assertThrows(
        IllegalArgumentException.class,
        () -> builder(dataset, 0).timeout(Duration.ofSeconds(1)).build());
    assertThrows(IllegalArgumentException.class, () -> builder(dataset, -2));
    assertThrows(IllegalArgumentException.class, () -> builder(dataset, 1).batchSize(0));
    assertFalse(
        assertThrows(
                RuntimeException.class,
                () -> {
                  try (DataLoader loader =
                      builder(dataset, 1).batchSize(1 << 20).memoryBudget(1 << 20).build()) {
                    loader.iterator();
                  }
                })
            .toString()
            .isEmpty());
  }
}
