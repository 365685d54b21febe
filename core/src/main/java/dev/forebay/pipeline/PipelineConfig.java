package dev.forebay.pipeline;

import dev.forebay.dataset.Dataset;
import dev.forebay.stats.Ticker;
import dev.forebay.storage.ObjectStore;
import dev.forebay.transform.BatchTransform;
import dev.forebay.transform.Collator;
import dev.forebay.transform.Transform;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a pipeline is made of, apart from the order of the samples. Immutable; validated
 * by the facade's builder.
 *
 * @param dataset what to load
 * @param store where a dataset's stored field is read from
 * @param transforms applied to each sample, in this order
 * @param batchTransforms applied to each finished batch, in this order
 * @param collator a user's own collation, if there is one
 * @param seed of all randomness
 * @param workers threads that decode and transform; 0 does the work in the consumer's thread
 * @param ioThreads threads that read ahead; used only with workers and a stored field
 * @param prefetchBatches finished or unfinished batches ahead of the consumer; 0 lets the pipeline
 *     choose
 * @param outputOrder in which order batches are delivered
 * @param timeoutNanos the longest the consumer waits for a batch; 0 for ever
 * @param stallReportNanos after how long a wait is reported, again and again; 0 never
 * @param workerInit run first on each worker thread, with its index
 * @param errorPolicy what becomes of bad samples
 * @param quarantine file of known bad samples, if there is one
 * @param memoryBytesMax of the row ring
 * @param readAheadBytesMax of the fetched bytes that wait for a worker
 * @param scratchBytesMax of the workers' intermediate results
 * @param ticker the clock
 * @param report receives warnings and stall reports
 */
public record PipelineConfig(
    Dataset dataset,
    ObjectStore store,
    List<Transform> transforms,
    List<BatchTransform> batchTransforms,
    @Nullable Collator collator,
    long seed,
    int workers,
    int ioThreads,
    int prefetchBatches,
    OutputOrder outputOrder,
    long timeoutNanos,
    long stallReportNanos,
    IntConsumer workerInit,
    ErrorPolicy errorPolicy,
    @Nullable Path quarantine,
    long memoryBytesMax,
    long readAheadBytesMax,
    long scratchBytesMax,
    Ticker ticker,
    Consumer<String> report) {

  /** Copies the lists. */
  public PipelineConfig {
    transforms = List.copyOf(transforms);
    batchTransforms = List.copyOf(batchTransforms);
  }
}
