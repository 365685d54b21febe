package dev.forebay.bench.probe;

import ai.djl.basicdataset.cv.classification.ImageFolder;
import ai.djl.modality.cv.transform.CenterCrop;
import ai.djl.modality.cv.transform.Normalize;
import ai.djl.modality.cv.transform.RandomFlipLeftRight;
import ai.djl.modality.cv.transform.RandomResizedCrop;
import ai.djl.modality.cv.transform.Resize;
import ai.djl.modality.cv.transform.ToTensor;
import ai.djl.ndarray.NDManager;
import ai.djl.training.dataset.Batch;
import ai.djl.translate.Transform;
import ai.djl.translate.TranslateException;
import dev.forebay.bench.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Measures DJL's own image folder and loading: {@code WORKLOAD DATA WORKERS BATCH WARM_SECONDS
 * SECONDS}.
 */
public final class DjlProbe {
  private static final float[] MEAN = {0.485f, 0.456f, 0.406f};
  private static final float[] STD = {0.229f, 0.224f, 0.225f};

  private DjlProbe() {}

  /** Runs the probe. */
  public static void main(String[] args) throws IOException, TranslateException {
    int workers = Integer.parseInt(args[2]);
    ImageFolder.Builder builder =
        ImageFolder.builder()
            .setRepositoryPath(Path.of(args[1]))
            .setSampling(Integer.parseInt(args[3]), true, true);
    transforms(Workload.of(args[0])).forEach(builder::addTransform);
    ImageFolder dataset = builder.build();
    dataset.prepare();
    ExecutorService executor = Executors.newFixedThreadPool(Math.max(1, workers));
    NDManager manager = NDManager.newBaseManager();
    Probe<Batch> probe =
        new Probe<>(
            () -> epoch(dataset, manager, executor),
            batch -> {
              int size = batch.getSize();
              batch.close();
              return size;
            });
    probe.run(Double.parseDouble(args[4]), Double.parseDouble(args[5]));
    // Threads that still make batches crash if the native library is shut down under them.
    Runtime.getRuntime().halt(0);
  }

  private static Iterator<Batch> epoch(
      ImageFolder dataset, NDManager manager, ExecutorService executor) {
    try {
      return dataset.getData(manager, executor).iterator();
    } catch (IOException | TranslateException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<Transform> transforms(Workload workload) {
    if (workload == Workload.JPEG_EVAL) {
      return List.of(
          new Resize(256, 256), new CenterCrop(224, 224), new ToTensor(), new Normalize(MEAN, STD));
    }
    return List.of(
        new RandomResizedCrop(224, 224, 0.08, 1.0, 3.0 / 4, 4.0 / 3),
        new RandomFlipLeftRight(),
        new ToTensor(),
        new Normalize(MEAN, STD));
  }
}
