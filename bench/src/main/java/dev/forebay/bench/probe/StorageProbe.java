package dev.forebay.bench.probe;

import dev.forebay.Batch;
import dev.forebay.DataLoader;
import dev.forebay.bench.StorageModel;
import dev.forebay.image.DecodeImage;
import dev.forebay.sampler.World;
import dev.forebay.transform.Transform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Emulated accelerators fed by Forebay: {@code MODEL INDEX ACCELERATORS WORKERS BATCH
 * COMPUTE_SECONDS SECONDS ONCE}. Each is a rank of its own with a loader of its own.
 */
public final class StorageProbe {
  /** Room for several samples even where one has 300 MB. */
  private static final long LARGE_READ_AHEAD_BYTES = 1536L << 20;

  private static final long READ_AHEAD_BYTES = 256L << 20;
  private static final long MEMORY_BYTES = 4L << 30;

  private StorageProbe() {}

  /** What one accelerator saw. */
  private record Seen(double busy, double total, long samples, double first) {}

  /** Runs the probe. */
  public static void main(String[] args) throws IOException, InterruptedException {
    StorageModel model = StorageModel.of(args[0]);
    int count = Integer.parseInt(args[2]);
    CyclicBarrier ready = new CyclicBarrier(count);
    List<Future<Seen>> futures = new ArrayList<>();
    try (StoredSamples dataset = StoredSamples.open(Path.of(args[1]));
        ExecutorService accelerators = Executors.newFixedThreadPool(count)) {
      for (int rank = 0; rank < count; rank++) {
        World world = new World(rank, count);
        futures.add(accelerators.submit(() -> accelerate(model, dataset, world, args, ready)));
      }
      double utilization = 0;
      double rate = 0;
      double first = 0;
      for (Future<Seen> future : futures) {
        Seen seen = future.get();
        utilization += seen.busy / seen.total / count;
        rate += seen.samples / seen.total;
        first = Math.max(first, seen.first);
      }
      System.out.printf(
          Locale.ROOT,
          "{\"utilization\": %.6f, \"rate\": %.3f, \"first_batch_seconds\": %.6f}%n",
          utilization,
          rate,
          first);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static Seen accelerate(
      StorageModel model, StoredSamples dataset, World world, String[] args, CyclicBarrier ready)
      throws Exception {
    double compute = Double.parseDouble(args[5]);
    long deadline = (long) (Double.parseDouble(args[6]) * 1e9);
    boolean once = Boolean.parseBoolean(args[7]);
    int batchSize = Integer.parseInt(args[4]);
    List<Transform> transforms = new ArrayList<>();
    if (model == StorageModel.RETINANET) {
      transforms.add(DecodeImage.rgb());
    }
    transforms.add(new KeepEightBytes(model == StorageModel.UNET3D));
    try (DataLoader loader =
        DataLoader.builder(dataset)
            .batchSize(batchSize)
            .dropLast(true)
            .shuffle(true)
            .tail(World.Tail.DROP)
            .world(world)
            .workers(Integer.parseInt(args[3]))
            .memoryBudget(MEMORY_BYTES)
            .readAheadBytes(
                model == StorageModel.UNET3D ? LARGE_READ_AHEAD_BYTES : READ_AHEAD_BYTES)
            .transforms(transforms)
            .build()) {
      ready.await();
      long asked = System.nanoTime();
      Iterator<Batch> batches = loader.iterator();
      batches.next();
      long start = System.nanoTime();
      long steps = 0;
      while (true) {
        sleep(compute);
        steps++;
        if (System.nanoTime() - start >= deadline) {
          break;
        }
        if (!batches.hasNext()) {
          if (once) {
            break;
          }
          batches = loader.iterator();
        }
        batches.next();
      }
      double total = (System.nanoTime() - start) / 1e9;
      return new Seen(steps * compute, total, steps * batchSize, (start - asked) / 1e9);
    }
  }

  private static void sleep(double seconds) {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
