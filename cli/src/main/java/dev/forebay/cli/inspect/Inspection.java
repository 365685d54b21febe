package dev.forebay.cli.inspect;

import dev.forebay.Batch;
import dev.forebay.DataLoader;
import dev.forebay.cli.console.ProgressLine;
import dev.forebay.dataset.Dataset;
import dev.forebay.dataset.ImageFolder;
import dev.forebay.image.DecodeImage;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.pipeline.ErrorPolicy;
import dev.forebay.pipeline.SkipBudget;
import dev.forebay.transform.Transform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Looks at every sample of a dataset. Used once, by one thread. */
public final class Inspection {
  private static final int BATCH_SIZE = 64;

  private final Dataset dataset;
  private final ProgressLine progress;
  private final List<Finding> unreadable = new ArrayList<>();
  private final List<Finding> broken = new ArrayList<>();
  private final Sizes sizes = new Sizes();
  private long[] counts = new long[0];

  /** Looks at a dataset. */
  public Inspection(Dataset dataset, ProgressLine progress) {
    this.dataset = dataset;
    this.progress = progress;
  }

  /**
   * Looks, and says what there is.
   *
   * @param path as it was typed
   * @param isVerified whether every sample is made, images decoded
   */
  public InspectReport run(String path, boolean isVerified) {
    List<String> classes = List.of();
    if (dataset instanceof ImageFolder folder) {
      classes = folder.classes();
      counts = new long[classes.size()];
      measure(folder);
    }
    if (isVerified) {
      verify();
    }
    progress.close();
    return new InspectReport(path, dataset, classes, counts, sizes, unreadable, isVerified, broken);
  }

  private void measure(ImageFolder folder) {
    for (long id = 0; id < folder.size(); id++) {
      counts[folder.label(id)]++;
      measure(folder, id);
      long done = id + 1;
      progress.update(
          () -> String.format(Locale.ROOT, "looked at %,d of %,d files", done, folder.size()));
    }
  }

  private void measure(ImageFolder folder, long id) {
    String reason = null;
    try {
      Path file = folder.path(id);
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        reason = "not a file";
      } else if (attributes.size() == 0) {
        reason = "empty";
      } else if (!Files.isReadable(file)) {
        reason = "may not be read";
      } else {
        sizes.add(attributes.size());
      }
    } catch (NoSuchFileException _) {
      reason = "does not exist: a symbolic link that leads nowhere, or removed by now";
    } catch (IOException | IllegalStateException e) {
      reason = String.valueOf(e.getMessage());
    }
    if (reason != null) {
      unreadable.add(new Finding(folder.describe(id), reason));
    }
  }

  /** Makes every sample; what cannot be made is broken. */
  private void verify() {
    if (dataset.size() == 0) {
      return;
    }
    DataLoader.Builder builder = DataLoader.builder(dataset).batchSize(BATCH_SIZE).epochs(1);
    builder.transforms(checks(dataset.schema()));
    builder.onError(ErrorPolicy.skip(SkipBudget.count(dataset.size())));
    try (DataLoader loader = builder.build()) {
      long done = 0;
      for (Batch batch : loader) {
        done += batch.size();
        long soFar = done;
        progress.update(
            () -> String.format(Locale.ROOT, "decoded %,d of %,d", soFar, dataset.size()));
      }
      loader.stats().badSamples().stream()
          .map(sample -> new Finding(sample.location(), sample.cause()))
          .forEach(broken::add);
    }
  }

  private static List<Transform> checks(Schema schema) {
    List<Transform> checks = new ArrayList<>();
    for (Field field : schema.fields()) {
      if (field.kind() == Field.Kind.BYTES && field.name().equals("image")) {
        checks.add(DecodeImage.rgb());
      }
      if (!field.isFixed()) {
        checks.add(new Presence(field.name()));
      }
    }
    return checks;
  }
}
