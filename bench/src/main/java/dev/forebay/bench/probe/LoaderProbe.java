package dev.forebay.bench.probe;

import dev.forebay.Batch;
import dev.forebay.DataLoader;
import dev.forebay.bench.Workload;
import dev.forebay.dataset.Dataset;
import dev.forebay.dataset.GeneratedDataset;
import dev.forebay.dataset.ImageFolder;
import dev.forebay.dataset.TokenDataset;
import dev.forebay.image.CenterCrop;
import dev.forebay.image.DecodeImage;
import dev.forebay.image.Normalize;
import dev.forebay.image.RandomHorizontalFlip;
import dev.forebay.image.RandomResizedCrop;
import dev.forebay.image.Resize;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.memory.Tensor;
import dev.forebay.transform.Transform;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/** Measures Forebay: {@code WORKLOAD DATA WORKERS BATCH WARM_SECONDS SECONDS}. */
public final class LoaderProbe {
  private static final long ENDLESS = 100_000_000;
  private static final long USUAL_NANOS = 500_000;
  private static final long SLOW_NANOS = 25_000_000;
  private static final Shape ROW = Shape.of(3, 224, 224);

  private LoaderProbe() {}

  /** Runs the probe. */
  public static void main(String[] args) throws IOException {
    Workload workload = Workload.of(args[0]);
    Path data = Path.of(args[1]);
    try (Dataset dataset = dataset(workload, data);
        DataLoader loader =
            DataLoader.builder(dataset)
                .batchSize(Integer.parseInt(args[3]))
                .workers(Integer.parseInt(args[2]))
                .shuffle(true)
                .seed(1)
                .dropLast(true)
                .transforms(transforms(workload))
                .build()) {
      Probe<Batch> probe =
          new Probe<>(
              loader::iterator,
              batch -> {
                int size = batch.size();
                batch.close();
                return size;
              });
      probe.run(Double.parseDouble(args[4]), Double.parseDouble(args[5]));
    }
  }

  private static List<Transform> transforms(Workload workload) {
    return switch (workload) {
      case JPEG_TRAIN, JPEG_RESTART ->
          List.of(
              DecodeImage.rgb(),
              RandomResizedCrop.of(224),
              RandomHorizontalFlip.of(0.5),
              Normalize.imagenet());
      case DECODED ->
          List.of(RandomResizedCrop.of(224), RandomHorizontalFlip.of(0.5), Normalize.imagenet());
      case JPEG_EVAL ->
          List.of(DecodeImage.rgb(), Resize.of(256), CenterCrop.of(224), Normalize.imagenet());
      case ROWS, NUMBERS, TOKENS, FILES_WARM, FILES_COLD, UNEVEN -> List.of();
    };
  }

  private static Dataset dataset(Workload workload, Path data) throws IOException {
    return switch (workload) {
      case JPEG_TRAIN, JPEG_RESTART, JPEG_EVAL -> ImageFolder.open(data);
      case DECODED -> DecodedImages.of(data);
      case FILES_WARM, FILES_COLD ->
          ImageFolder.builder(data).extensions(Set.of(".bin")).withoutIndex().open();
      case TOKENS -> TokenDataset.builder(data).stride(97).open();
      case ROWS -> rows();
      case NUMBERS ->
          GeneratedDataset.of(
              ENDLESS,
              Schema.of(Field.scalar("number", DType.INT64)),
              "numbers",
              (id, sample) -> sample.value(0).setLong(id));
      case UNEVEN ->
          GeneratedDataset.of(
              ENDLESS,
              Schema.of(Field.scalar("number", DType.INT64)),
              "uneven",
              (id, sample) -> {
                LockSupport.parkNanos(id % 100 == 0 ? SLOW_NANOS : USUAL_NANOS);
                sample.value(0).setLong(id);
              });
    };
  }

  /** One row for all samples, as the other side has it. */
  private static Dataset rows() {
    MemorySegment row = Arena.global().allocate(ROW.elements(), 64);
    return GeneratedDataset.of(
        ENDLESS,
        Schema.of(Field.tensor("image", DType.UINT8, ROW)),
        "rows",
        (_, sample) -> sample.value(0).view(DType.UINT8, row, 0, ROW));
  }

  /** The pictures of a folder, decoded once and kept in memory. */
  private static final class DecodedImages {
    private DecodedImages() {}

    static Dataset of(Path root) throws IOException {
      Arena arena = Arena.global();
      try (ImageFolder folder = ImageFolder.open(root);
          DataLoader loader =
              DataLoader.builder(folder).transforms(List.of(DecodeImage.rgb())).epochs(1).build()) {
        MemorySegment[] pixels = new MemorySegment[(int) folder.size()];
        Shape[] shapes = new Shape[pixels.length];
        int count = 0;
        for (Batch batch : loader) {
          Tensor decoded = batch.padded("image", 0); // of one picture: nothing is padded
          pixels[count] = arena.allocate(decoded.segment().byteSize()).copyFrom(decoded.segment());
          shapes[count] =
              Shape.of(decoded.shape().dim(1), decoded.shape().dim(2), decoded.shape().dim(3));
          count++;
        }
        Shape any = Shape.of(Shape.UNKNOWN, Shape.UNKNOWN, 3);
        return GeneratedDataset.of(
            count,
            Schema.of(Field.tensor("image", DType.UINT8, any)),
            "decoded " + folder.fingerprint(),
            (id, sample) ->
                sample.value(0).view(DType.UINT8, pixels[(int) id], 0, shapes[(int) id]));
      }
    }
  }
}
