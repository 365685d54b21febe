package dev.forebay.cli.bench;

import dev.forebay.Batch;
import dev.forebay.DataLoader;
import dev.forebay.cli.console.Interruption;
import dev.forebay.cli.console.ProgressLine;
import dev.forebay.error.LoaderException;
import dev.forebay.sampler.CoverageCertificate;
import dev.forebay.sampler.World;
import dev.forebay.stats.Ticker;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One run of a loader, as a training loop would make it. Used once, by one thread. */
public final class BenchRun {
  private final BenchOptions options;
  private final DataLoader loader;
  private final ProgressLine progress;
  private final Interruption interruption;
  private final World world;
  private final List<EpochReport> epochs = new ArrayList<>();

  private SavedRun.@Nullable Part earlier;
  private @Nullable RowDigest digest;
  private @Nullable SavedRun stoppedAt;
  private long samples;
  private long batches;
  private long stepNanos;
  private long drainNanos;
  private boolean isResumedWithin;
  private boolean isOver;

  /** A run of a loader that nobody else uses. */
  public BenchRun(
      BenchOptions options, DataLoader loader, ProgressLine progress, Interruption interruption) {
    this.options = options;
    this.loader = loader;
    this.progress = progress;
    this.interruption = interruption;
    this.world = options.overrides().world();
  }

  /** Begins where another run stopped. */
  public void resume(SavedRun saved) {
    loader.restore(saved.state());
    boolean isSameEpoch = loader.epoch() == saved.state().epoch();
    boolean isSamePlace = saved.world().equals(world);
    boolean isKnown = saved.state().position() == 0 || isSamePlace;
    earlier = isSameEpoch && isKnown ? saved.part() : null;
    isResumedWithin = isSameEpoch && saved.state().position() > 0;
  }

  /** Runs until the last epoch's end, the wanted number of batches, or Ctrl-C. */
  public BenchReport run(int workers) {
    HeapMeter heap = new HeapMeter(batchesToCome());
    while (!isOver && loader.epoch() < options.overrides().epochs()) {
      epoch(heap);
    }
    interruption.end();
    progress.close();
    Double heapBytes = heap.bytesPerSample(samples);
    return new BenchReport(
        options.source(),
        workers,
        loader.stats(),
        List.copyOf(epochs),
        drainNanos / 1e9,
        stepNanos / 1e9,
        heapBytes,
        interruption.isRaised());
  }

  private long batchesToCome() {
    long epochsLeft = Math.max(0, options.overrides().epochs() - loader.epoch());
    double planned = (double) loader.batchesPerEpoch() * epochsLeft;
    return (long) Math.min((double) options.stopAfter(), planned);
  }

  private void epoch(HeapMeter heap) {
    long epoch = loader.epoch();
    long planned = loader.batchesPerEpoch();
    SavedRun.Part before = isResumedWithin ? earlier : SavedRun.Part.NONE;
    digest = digestAfter(before);
    long start = Ticker.SYSTEM.nanos();
    boolean isStopped = !drain(loader.iterator(), planned, heap);
    drainNanos += Ticker.SYSTEM.nanos() - start;
    CoverageCertificate certificate = loader.certificate();
    CoverageCertificate expected = loader.expectedCertificate();
    if (before != null) {
      certificate = certificate.plus(before.certificate());
      expected = expected.plus(before.certificate());
    }
    String hex = digest == null ? null : digest.hex();
    if (isOver) {
      stoppedAt = new SavedRun(loader.state(), world, new SavedRun.Part(certificate, hex));
    }
    String who = world.worldSize() == 1 ? "the loop" : "rank " + world.rank();
    epochs.add(new EpochReport(epoch, who, certificate, expected, before != null, isStopped, hex));
    isResumedWithin = false;
  }

  private @Nullable RowDigest digestAfter(SavedRun.@Nullable Part before) {
    if (!options.isDigestWanted()) {
      return null;
    }
    return before == null || before.digest() == null
        ? RowDigest.empty()
        : RowDigest.resume(before.digest());
  }

  /** Takes batches; true if the epoch came to its end. */
  private boolean drain(Iterator<Batch> iterator, long planned, HeapMeter heap) {
    long taken = 0;
    try {
      while (iterator.hasNext()) {
        Batch batch = iterator.next();
        taken++;
        batches++;
        samples += batch.size();
        consume(batch);
        heap.at(batches, samples);
        progress.update(this::progressText);
        if (interruption.isRaised() || batches >= options.stopAfter()) {
          isOver = true;
          return taken == planned && !iterator.hasNext();
        }
      }
      return true;
    } catch (LoaderException e) {
      if (interruption.isRaised()) {
        isOver = true;
        return false;
      }
      throw e;
    }
  }

  private void consume(Batch batch) {
    if (digest != null) {
      digest.add(batch);
    }
    if (options.step().isPositive()) {
      long start = Ticker.SYSTEM.nanos();
      try {
        Thread.sleep(options.step());
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      stepNanos += Ticker.SYSTEM.nanos() - start;
    }
  }

  private String progressText() {
    return String.format(
        Locale.ROOT, "epoch %d  %,d batches  %,d samples", loader.epoch() - 1, batches, samples);
  }

  /** Where the run is. */
  public SavedRun saved() {
    return stoppedAt == null ? new SavedRun(loader.state(), world, SavedRun.Part.NONE) : stoppedAt;
  }
}
