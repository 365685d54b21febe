package dev.forebay.dataset;

import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.storage.ObjectRange;
import dev.forebay.transform.Sample;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Several datasets one after the other. Sample {@code i} of the whole is sample {@code i - start}
 * of the dataset whose samples begin at {@code start}; finding it takes a binary search. Immutable
 * and thread-safe.
 *
 * <p>It is a view: {@link #close()} does nothing, and the datasets are closed by whoever opened
 * them, after the last loader that uses the whole. A concatenation of concatenations refers
 * straight to the datasets below, so views never pile up.
 */
public final class ConcatDataset implements Dataset {
  private final List<Dataset> parts;

  /** Where the samples of each part begin, and at the end the number of all. */
  private final long[] starts;

  private final Schema schema;
  private final int storedField;
  private final String fingerprint;

  private ConcatDataset(List<Dataset> parts) {
    this.parts = List.copyOf(parts);
    this.starts = new long[parts.size() + 1];
    this.storedField = parts.getFirst().storedField();
    Schema common = parts.getFirst().schema();
    Digest digest = new Digest("concat").number(parts.size());
    for (int part = 0; part < parts.size(); part++) {
      Dataset dataset = parts.get(part);
      starts[part + 1] = Math.addExact(starts[part], dataset.size());
      common = common(common, dataset.schema(), part);
      checkStoredField(dataset, part);
      digest.text(dataset.fingerprint());
    }
    this.schema = common;
    this.fingerprint = digest.fingerprint();
  }

  /**
   * The samples of all given datasets.
   *
   * @param datasets at least one; all have the same fields: same names, kinds, types and shapes in
   *     the same order, and the same stored field. Where {@link Field#bytesMax()} differs, the
   *     largest holds
   * @throws IllegalArgumentException that names the first dataset and field that differ
   */
  public static ConcatDataset of(Dataset... datasets) {
    if (datasets.length == 0) {
      throw new IllegalArgumentException("a concatenation needs at least one dataset");
    }
    List<Dataset> parts = new ArrayList<>();
    for (Dataset dataset : datasets) {
      Objects.requireNonNull(dataset, "dataset");
      if (dataset instanceof ConcatDataset concat) {
        parts.addAll(concat.parts);
      } else {
        parts.add(dataset);
      }
    }
    return new ConcatDataset(parts);
  }

  private static Schema common(Schema first, Schema other, int part) {
    if (first.size() != other.size()) {
      throw new IllegalArgumentException(
          "dataset %d has %d fields %s, but dataset 0 has %d %s"
              .formatted(part, other.size(), names(other), first.size(), names(first)));
    }
    Schema common = first;
    for (int slot = 0; slot < first.size(); slot++) {
      Field field = first.field(slot);
      Field otherField = other.field(slot);
      long bytesMax = Math.max(field.bytesMax(), otherField.bytesMax());
      if (!field.withBytesMax(bytesMax).equals(otherField.withBytesMax(bytesMax))) {
        throw new IllegalArgumentException(
            "field %d of dataset %d is %s, but that of dataset 0 is %s; datasets can be"
                    .formatted(slot, part, text(otherField), text(field))
                + " concatenated if they have the same fields in the same order");
      }
      common = common.with(slot, field.withBytesMax(bytesMax));
    }
    return common;
  }

  private static List<String> names(Schema schema) {
    return schema.fields().stream().map(Field::name).toList();
  }

  private static String text(Field field) {
    return "'%s' (%s %s%s)"
        .formatted(field.name(), field.kind(), field.dtype().label(), field.shape());
  }

  private void checkStoredField(Dataset dataset, int part) {
    if (dataset.storedField() != storedField) {
      throw new IllegalArgumentException(
          "dataset %d has stored field %d, but dataset 0 has %d (-1 is none); datasets can be"
                  .formatted(part, dataset.storedField(), storedField)
              + " concatenated if they read the same field from storage");
    }
  }

  /** Which part has sample {@code id}: the last whose samples begin at or before it. */
  private int partOf(long id) {
    Objects.checkIndex(id, size());
    int place = Arrays.binarySearch(starts, id);
    int part = place >= 0 ? place : -place - 2;
    while (id >= starts[part + 1]) {
      part++; // the search may hit an empty part, which begins at the same id
    }
    return part;
  }

  @Override
  public long size() {
    return starts[starts.length - 1];
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public void load(long id, Sample sample) throws IOException {
    int part = partOf(id);
    parts.get(part).load(id - starts[part], sample);
  }

  @Override
  public int storedField() {
    return storedField;
  }

  @Override
  public void locate(long id, ObjectRange range) {
    int part = partOf(id);
    parts.get(part).locate(id - starts[part], range);
  }

  @Override
  public String describe(long id) {
    int part = partOf(id);
    return parts.get(part).describe(id - starts[part]);
  }
}
