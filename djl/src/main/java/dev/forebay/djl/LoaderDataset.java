package dev.forebay.djl;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.dataset.Batch;
import ai.djl.training.dataset.Dataset;
import ai.djl.translate.Batchifier;
import ai.djl.util.Progress;
import dev.forebay.DataLoader;
import dev.forebay.memory.DType;
import dev.forebay.memory.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Forebay {@link DataLoader} as a DJL {@link Dataset}: each {@link #getData} is the next epoch.
 *
 * <p>The order, the batches and the transforms are the loader's; DJL's samplers and pipelines play
 * no part, and neither does its executor. Closing a DJL batch frees its arrays, and with {@link
 * Handover#VIEW} the loader's memory, too. For one consumer, as the loader; the loader is not
 * closed with this.
 */
public final class LoaderDataset implements Dataset {
  private final DataLoader loader;
  private final List<String> data;
  private final List<String> labels;
  private final Handover handover;

  private LoaderDataset(
      DataLoader loader, List<String> data, List<String> labels, Handover handover) {
    this.loader = loader;
    this.data = List.copyOf(data);
    this.labels = List.copyOf(labels);
    this.handover = Objects.requireNonNull(handover, "handover");
    for (String field : this.data) {
      dataType(loader.schema().field(loader.schema().slot(field)).dtype());
    }
    for (String field : this.labels) {
      dataType(loader.schema().field(loader.schema().slot(field)).dtype());
    }
  }

  /** The fields "image" as data and "label" as label, copied. */
  public static LoaderDataset of(DataLoader loader) {
    return of(loader, List.of("image"), List.of("label"), Handover.COPY);
  }

  /**
   * Some fields of a loader, in this order.
   *
   * @param data the fields that make {@code Batch.getData()}
   * @param labels the fields that make {@code Batch.getLabels()}
   * @throws IllegalArgumentException if there is no such field, or PyTorch has no such type
   */
  public static LoaderDataset of(
      DataLoader loader, List<String> data, List<String> labels, Handover handover) {
    return new LoaderDataset(loader, data, labels, handover);
  }

  /** Starts the next epoch; its arrays belong to sub-managers of {@code manager}. */
  @Override
  public Iterable<Batch> getData(NDManager manager) {
    long total = loader.batchesPerEpoch();
    Iterator<dev.forebay.Batch> batches = loader.iterator();
    return () -> new DjlIterator(manager, batches, total);
  }

  /** Does nothing: the loader prepares itself. */
  @Override
  public void prepare(@Nullable Progress progress) {}

  private Batch batch(NDManager manager, dev.forebay.Batch batch, long progress, long total) {
    NDManager own = manager.newSubManager();
    int size = batch.size();
    NDList dataList = list(own, batch, data);
    NDList labelList = list(own, batch, labels);
    if (handover == Handover.COPY) {
      batch.close();
      return new Batch(
          own, dataList, labelList, size, Batchifier.STACK, Batchifier.STACK, progress, total);
    }
    return new Batch(
        own, dataList, labelList, size, Batchifier.STACK, Batchifier.STACK, progress, total) {
      @Override
      public void close() {
        super.close();
        batch.close();
      }
    };
  }

  private NDList list(NDManager manager, dev.forebay.Batch batch, List<String> fields) {
    NDList list = new NDList(fields.size());
    for (String field : fields) {
      NDArray array = array(manager, batch.tensor(field), handover);
      array.setName(field);
      list.add(array);
    }
    return list;
  }

  /**
   * A tensor as a DJL array.
   *
   * @param manager owns the array
   */
  static NDArray array(NDManager manager, Tensor tensor, Handover handover) {
    ByteBuffer bytes = tensor.segment().asByteBuffer().order(ByteOrder.nativeOrder());
    NDArray view =
        manager.create(bytes, new Shape(tensor.shape().dims()), dataType(tensor.dtype()));
    if (handover == Handover.VIEW) {
      return view;
    }
    try (view) {
      return view.duplicate();
    }
  }

  /** DJL names more types than its PyTorch engine can make: of bfloat16 it ends the process. */
  private static DataType dataType(DType dtype) {
    return switch (dtype) {
      case BOOL -> DataType.BOOLEAN;
      case UINT8 -> DataType.UINT8;
      case INT8 -> DataType.INT8;
      case INT32 -> DataType.INT32;
      case INT64 -> DataType.INT64;
      case FLOAT16 -> DataType.FLOAT16;
      case FLOAT32 -> DataType.FLOAT32;
      case FLOAT64 -> DataType.FLOAT64;
      case BFLOAT16, INT16, UINT16, UINT32 ->
          throw new IllegalArgumentException(
              "DJL's PyTorch engine makes no arrays of " + dtype + "; convert the field");
    };
  }

  /** One epoch. Confined to the consumer. */
  private final class DjlIterator implements Iterator<Batch> {
    private final NDManager manager;
    private final Iterator<dev.forebay.Batch> batches;
    private final long total;
    private long progress;

    DjlIterator(NDManager manager, Iterator<dev.forebay.Batch> batches, long total) {
      this.manager = manager;
      this.batches = batches;
      this.total = total;
    }

    @Override
    public boolean hasNext() {
      return batches.hasNext();
    }

    @Override
    public Batch next() {
      return batch(manager, batches.next(), ++progress, total);
    }
  }
}
