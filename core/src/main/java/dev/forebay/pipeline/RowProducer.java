package dev.forebay.pipeline;

import dev.forebay.dataset.Dataset;
import dev.forebay.error.BadDataException;
import dev.forebay.error.ForebayException.Advice;
import dev.forebay.error.LoaderException;
import dev.forebay.error.SampleException;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.MemoryBudgetException;
import dev.forebay.memory.Mix64;
import dev.forebay.stats.LoaderStats.BadSample;
import dev.forebay.stats.Stage;
import dev.forebay.stats.Ticker;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows and decides what becomes of those that cannot be made: the {@link ErrorPolicy} around
 * a {@link SampleWorker}. Confined to one thread at a time, like the worker it holds.
 */
final class RowProducer implements AutoCloseable {
  /** After so many bad substitutes in a row the dataset, not the sample, is at fault. */
  private static final int SUBSTITUTES_MAX = 16;

  private static final long SUBSTITUTE_PURPOSE = 0x5375627374697475L;

  private final PipelineConfig config;
  private final Dataset dataset;
  private final Ticker ticker;
  private final Quarantine quarantine;
  private final SampleWorker worker;
  private final FetchBuffer inline;

  private volatile long currentId = -1;

  /** True while the sample in work has no bytes yet. */
  private volatile boolean isReading;

  /**
   * A producer for one thread.
   *
   * @param inlineBudget for the bytes of samples that this thread reads itself: all of them without
   *     workers, else substitutes. Never the budget that readers share, whose memory comes back
   *     through workers only
   */
  RowProducer(
      PipelineConfig config,
      RowRing ring,
      Quarantine quarantine,
      MemoryBudget scratchBudget,
      MemoryBudget inlineBudget) {
    this.config = config;
    this.dataset = config.dataset();
    this.ticker = config.ticker();
    this.quarantine = quarantine;
    this.inline = new FetchBuffer(inlineBudget);
    this.worker = new SampleWorker(config, ring, scratchBudget, scratchBudget);
  }

  /** The sample in work, or -1; may be read by any thread. */
  long currentId() {
    return currentId;
  }

  /** The stage of the sample in work; may be read by any thread. */
  Stage stage() {
    return isReading ? Stage.STORAGE : worker.stage();
  }

  /**
   * Makes one row, whatever happens, and records its outcome and times.
   *
   * @param fetched the sample's bytes if a {@link Fetcher} read them; null to read them here
   */
  void produce(BatchSlot slot, int row, @Nullable FetchBuffer fetched) {
    long id = slot.ids[row];
    currentId = id;
    try {
      BadSample known = quarantine.get(id);
      if (known != null && config.errorPolicy().action() != ErrorPolicy.Action.FAIL) {
        giveUp(slot, row, known);
      } else {
        attempt(slot, row, id, fetched);
      }
    } finally {
      currentId = -1;
    }
  }

  private void attempt(BatchSlot slot, int row, long id, @Nullable FetchBuffer fetched) {
    Throwable failure = make(slot, row, id, fetched);
    if (failure == null) {
      slot.outcomes[row] = BatchSlot.Outcome.DELIVERED;
      return;
    }
    SampleException error = describe(id, failure);
    if (config.errorPolicy().action() == ErrorPolicy.Action.FAIL) {
      slot.outcomes[row] = BatchSlot.Outcome.FAILED;
      slot.workEnd[row] = ticker.nanos();
      slot.fail(row, error);
      return;
    }
    BadSample bad = new BadSample(id, error.location(), error.stage(), causeOf(failure));
    if (!quarantine.add(bad)) {
      throw new LoaderException(
          Advice.FAIL_EPOCH,
          "the skip budget (%s) is used up; bad samples so far: %s; the next: %s"
              .formatted(config.errorPolicy().budget(), quarantine.all(), error.getMessage()),
          error);
    }
    giveUp(slot, row, bad);
  }

  private void giveUp(BatchSlot slot, int row, BadSample bad) {
    if (config.errorPolicy().action() == ErrorPolicy.Action.SKIP) {
      slot.outcomes[row] = BatchSlot.Outcome.SKIPPED;
      slot.workEnd[row] = ticker.nanos();
      return;
    }
    long id = bad.id();
    for (int attempt = 0; attempt < SUBSTITUTES_MAX; attempt++) {
      long substitute = substitute(slot.epoch, id, attempt);
      boolean isMade =
          quarantine.get(substitute) == null && make(slot, row, substitute, null) == null;
      inline.bytes.clear();
      if (isMade) {
        slot.outcomes[row] = BatchSlot.Outcome.SUBSTITUTED;
        slot.deliveredIds[row] = substitute;
        return;
      }
    }
    throw new LoaderException(
        Advice.FAIL_EPOCH,
        "%d substitutes for %s failed in a row; the dataset as a whole seems to be at fault"
            .formatted(SUBSTITUTES_MAX, bad),
        null);
  }

  /**
   * The substitute depends on seed, epoch, sample and attempt only, so that a resumed run agrees.
   */
  private long substitute(long epoch, long id, int attempt) {
    long key = Mix64.key(config.seed() ^ SUBSTITUTE_PURPOSE, epoch, id);
    return Math.unsignedMultiplyHigh(Mix64.mix(key + attempt * Mix64.GOLDEN_GAMMA), dataset.size());
  }

  /** Makes the row of sample {@code id}; returns what went wrong, or null. */
  private @Nullable Throwable make(
      BatchSlot slot, int row, long id, @Nullable FetchBuffer fetched) {
    setReading(dataset.storedField() >= 0);
    try {
      FetchBuffer source = fetched == null ? readInline(slot, row, id) : fetched;
      if (source.failure != null) {
        return source.failure;
      }
      setReading(false);
      long now = ticker.nanos();
      if (slot.readStart[row] == 0) {
        slot.readStart[row] = now;
        slot.readEnd[row] = now;
        slot.isReadBound[row] = false;
      }
      MemorySegment stored = source.bytes.segment();
      slot.workEnd[row] = worker.produce(slot, row, id, stored, source.length, now);
      slot.decodeNanos[row] = worker.decodeNanos();
      slot.transformNanos[row] = worker.transformNanos();
      return null;
    } catch (MemoryBudgetException shortage) {
      throw outOfBudget(id, shortage);
    } catch (IOException | RuntimeException | StackOverflowError failure) {
      return failure;
    }
  }

  /** Spares the volatile write, which costs as much as a small sample, where nothing changes. */
  private void setReading(boolean reading) {
    if (isReading != reading) {
      isReading = reading;
    }
  }

  /**
   * Whether memory is short depends on what others do, so it must not make this sample a bad one.
   */
  private LoaderException outOfBudget(long id, MemoryBudgetException shortage) {
    return new LoaderException(
        Advice.FATAL,
        "sample %d (%s), stage %s: %s"
            .formatted(id, dataset.describe(id), worker.stage().label(), shortage.getMessage()),
        shortage);
  }

  private FetchBuffer readInline(BatchSlot slot, int row, long id) throws IOException {
    if (dataset.storedField() < 0) {
      return inline;
    }
    slot.readStart[row] = ticker.nanos();
    slot.isReadBound[row] = true;
    dataset.locate(id, inline.range);
    try {
      inline.length = config.store().read(inline.range, inline.bytes);
    } catch (MemoryBudgetException shortage) {
      throw config.workers() == 0 ? Fetcher.tooLarge(shortage) : shortage;
    }
    slot.readEnd[row] = ticker.nanos();
    return inline;
  }

  private SampleException describe(long id, Throwable failure) {
    if (failure instanceof SampleException already) {
      return already;
    }
    Stage stage = failure instanceof IOException ? Stage.STORAGE : stage();
    return new SampleException(id, dataset.describe(id), stage, causeOf(failure), failure);
  }

  private static String causeOf(Throwable failure) {
    String message = failure.getMessage();
    return switch (failure) {
      case BadDataException _ -> String.valueOf(message);
      case NoSuchFileException _ -> "the file does not exist any more";
      default -> failure.getClass().getSimpleName() + ": " + message;
    };
  }

  @Override
  public void close() {
    worker.close();
    inline.close();
  }
}
