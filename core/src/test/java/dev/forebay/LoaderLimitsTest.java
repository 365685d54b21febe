package dev.forebay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.forebay.sampler.CoverageCertificate;
import dev.forebay.testing.LeakCheck;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Promises P3 (bounded) and P5 (no allocation per sample). */
@ExtendWith(LeakCheck.class)
class LoaderLimitsTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static long sum(Batch batch) {
    MemorySegment numbers = batch.tensor("number").segment();
    long sum = 0;
    for (long at = 0; at < numbers.byteSize(); at += Long.BYTES) {
      sum += numbers.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    }
    return sum;
  }

  /** The least of some looks, since what others drop meanwhile is no growth. */
  private static long heapLive() {
    long least = Long.MAX_VALUE;
    for (int look = 0; look < 4; look++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  @Test
  void millionSamples_oneEpoch_keepMemoryFlat() {
    long size = 1_000_000;
    try (DataLoader loader =
        DataLoader.builder(NumbersDataset.of(size))
            .batchSize(500)
            .shuffle(true)
            .seed(3)
            .workers(2)
            .epochs(1)
            .build()) {
      long sum = 0;
      long heapAtTenth = 0;
      long nativeAtTenth = 0;
      for (Batch batch : loader) {
        sum += sum(batch);
        if (batch.number() == 200) {
          heapAtTenth = heapLive();
          nativeAtTenth = loader.stats().ringBytes() + loader.stats().scratchBytes();
        }
        if (batch.number() == 1999) {
          long heapGrowth = heapLive() - heapAtTenth;
          assertTrue(heapGrowth < 1 << 20, "the heap grew by " + heapGrowth + " bytes");
          assertEquals(nativeAtTenth, loader.stats().ringBytes() + loader.stats().scratchBytes());
        }
      }
      assertEquals(size * (size - 1) / 2, sum);
      assertTrue(loader.certificate().coversExactly(CoverageCertificate.expected(size)));
    }
  }

  /** What stays behind in threads, files and shared memory is seen by the leak check. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void hundredEpochs_thousandSamples_leaveHeapWhereItWas(boolean isPersistent) {
    NumbersDataset dataset = NumbersDataset.of(1_000);
    long heapAtTenth = 0;
    int threadsAtTenth = 0;
    try (DataLoader loader =
        DataLoader.builder(dataset)
            .batchSize(64)
            .shuffle(true)
            .workers(3)
            .persistentWorkers(isPersistent)
            .build()) {
      for (int epoch = 0; epoch < 100; epoch++) {
        long sum = 0;
        for (Batch batch : loader) {
          sum += sum(batch);
        }
        assertEquals(499_500, sum);
        if (epoch == 10) {
          heapAtTenth = heapLive();
          threadsAtTenth = Thread.activeCount();
        }
      }
      long heapGrowth = heapLive() - heapAtTenth;
      assertTrue(heapGrowth < 1 << 20, "the heap grew by " + heapGrowth + " bytes");
      assertTrue(Thread.activeCount() <= threadsAtTenth, "threads are left over");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void steadyState_sample_allocatesLessThanAHundredBytes(int workers) {
    long size = 200_000;
    try (DataLoader loader =
        DataLoader.builder(NumbersDataset.of(size))
            .batchSize(256)
            .shuffle(true)
            .workers(workers)
            .build()) {
      // What the JIT has not compiled yet allocates more, so the best of some epochs counts.
      long perSample = Long.MAX_VALUE;
      for (int epoch = 0; epoch < 6 && perSample >= 100; epoch++) {
        long before = THREADS.getTotalThreadAllocatedBytes();
        loader.iterator().forEachRemaining(LoaderLimitsTest::sum);
        long allocated = THREADS.getTotalThreadAllocatedBytes() - before;
        perSample = Math.min(perSample, allocated / size);
      }
      assertTrue(perSample < 100, perSample + " bytes are allocated per sample");
    }
  }
}
