package dev.forebay.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.forebay.dataset.GeneratedDataset;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.plan.AccessPlan;
import dev.forebay.sampler.Sampler;
import dev.forebay.sampler.World;
import dev.forebay.stats.Ticker;
import dev.forebay.storage.LocalFiles;
import dev.forebay.storage.ObjectStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrefetchDefaultTest {
  private static int batches(int workers, int batchSize, long rowBytes, long memory, int asked) {
    GeneratedDataset dataset =
        GeneratedDataset.of(
            100_000,
            Schema.of(Field.tensor("x", DType.UINT8, Shape.of(rowBytes))),
            "none",
            (_, _) -> {});
    AccessPlan plan =
        AccessPlan.of(
            100_000, Sampler.sequential(), World.SINGLE, World.Tail.PAD, batchSize, false);
    try (ObjectStore store = LocalFiles.open()) {
      PipelineConfig config =
          new PipelineConfig(
              dataset,
              store,
              List.of(),
              List.of(),
              null,
              0,
              workers,
              1,
              asked,
              OutputOrder.INPUT,
              0,
              0,
              _ -> {},
              ErrorPolicy.fail(),
              null,
              memory,
              1,
              1,
              Ticker.SYSTEM,
              _ -> {});
      return Pipeline.prefetchBatches(config, plan);
    }
  }

  @Test
  void default_anyBatch_holdsEnoughSamplesForEachWorker() {
    long plenty = 1L << 40;
    assertEquals(2, batches(2, 64, 100_000, plenty, 0));
    assertEquals(8, batches(8, 64, 100_000, plenty, 0));
    assertEquals(64, batches(1, 1, 100_000, plenty, 0));
    assertEquals(64, batches(16, 1, 100_000, plenty, 0));
    assertEquals(2, batches(8, 4096, 100_000, plenty, 0));
    assertEquals(7, batches(2, 20, 100_000, plenty, 0));
    assertEquals(64, batches(2, 64, 8, plenty, 0), "as many as make 256 KiB, up to 64");
    assertEquals(4, batches(2, 64, 1000, plenty, 0));
  }

  @Test
  void default_littleMemory_staysWithinAQuarterButNotBelowTwo() {
    // A batch has 10,000 bytes; a quarter of the memory holds ten, of which one is the consumer's.
    assertEquals(9, batches(64, 100, 100, 400_000, 0));
    assertEquals(2, batches(64, 100, 100, 50_000, 0));
    assertEquals(33, batches(64, 100, 100, 50_000, 33), "what was asked for is kept");
  }
}
