package dev.forebay.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The workloads of MLPerf Storage: how large samples are, and how long an accelerator computes on a
 * batch.
 *
 * <p>Source: MLCommons, MLPerf Storage, workload configurations of versions 1.0 and 2.0.
 */
public enum StorageModel {
  /** 3D segmentation: one large sample in each npz file. */
  UNET3D(Format.NPZ, 146_600_628, 68_341_808, 1, 7, 0.90, 0.636, 0.323, 0.162),
  /** Image classification: many small samples in each TFRecord file. */
  RESNET50(Format.TFRECORD, 114_660, 0, 1251, 400, 0.90, 0.435, 0.224, 0),
  /** Cosmology: one sample in each TFRecord file, a batch of one. */
  COSMOFLOW(Format.TFRECORD, 2_828_486, 71_311, 1, 1, 0.70, 0.00551, 0.0035, 0),
  /** Object detection: JPEG files. */
  RETINANET(Format.JPEG, 322_957, 0, 1, 24, 0.85, 0, 0, 0.04755);

  /** How samples are stored. */
  enum Format {
    NPZ,
    TFRECORD,
    JPEG
  }

  private final Format format;
  private final long bytes;
  private final long deviation;
  private final int samplesPerFile;
  private final int batchSize;
  private final double utilizationMin;

  /* Seconds for a batch; 0 where the benchmark has none. */
  private final double a100;
  private final double h100;
  private final double b200;

  StorageModel(
      Format format,
      long bytes,
      long deviation,
      int samplesPerFile,
      int batchSize,
      double utilizationMin,
      double a100,
      double h100,
      double b200) {
    this.format = format;
    this.bytes = bytes;
    this.deviation = deviation;
    this.samplesPerFile = samplesPerFile;
    this.batchSize = batchSize;
    this.utilizationMin = utilizationMin;
    this.a100 = a100;
    this.h100 = h100;
    this.b200 = b200;
  }

  /**
   * The model of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists all
   */
  public static StorageModel of(String name) {
    return Arrays.stream(values())
        .filter(model -> model.id().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no model '%s'; possible: %s"
                        .formatted(
                            name,
                            Arrays.stream(values())
                                .map(StorageModel::id)
                                .collect(Collectors.joining(", ")))));
  }

  /** The name on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** How samples are stored. */
  Format format() {
    return format;
  }

  /** The mean size of a sample. */
  long bytes() {
    return bytes;
  }

  /** The standard deviation of the size, in bytes. */
  long deviation() {
    return deviation;
  }

  int samplesPerFile() {
    return samplesPerFile;
  }

  /** Samples in a batch. */
  public int batchSize() {
    return batchSize;
  }

  /** The accelerator utilization, 0 to 1, with which a run passes. */
  double utilizationMin() {
    return utilizationMin;
  }

  /**
   * How long an accelerator computes on a batch.
   *
   * @throws IllegalArgumentException if that is not known for this accelerator
   */
  double computeSeconds(String accelerator) {
    double seconds =
        switch (accelerator) {
          case "a100" -> a100;
          case "h100" -> h100;
          case "b200" -> b200;
          default -> 0;
        };
    if (seconds == 0) {
      throw new IllegalArgumentException(
          "%s has no time for accelerator '%s'; possible: %s"
              .formatted(id(), accelerator, String.join(", ", accelerators())));
    }
    return seconds;
  }

  private List<String> accelerators() {
    return Stream.of("a100", "h100", "b200")
        .filter(name -> name.equals("a100") ? a100 > 0 : name.equals("h100") ? h100 > 0 : b200 > 0)
        .toList();
  }

  /** An accelerator that this model has a time for, h100 if possible. */
  String defaultAccelerator() {
    return h100 > 0 ? "h100" : accelerators().getFirst();
  }
}
