package dev.forebay.bench.probe;

import dev.forebay.dataset.Dataset;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.storage.ObjectRange;
import dev.forebay.transform.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The samples that an index lists: a file, an offset and a number of bytes each. Thread-safe. */
final class StoredSamples implements Dataset {
  private static final Schema SCHEMA = Schema.of(Field.bytes("image"));

  private final List<Path> files;
  private final long[] offsets;
  private final long[] lengths;

  private StoredSamples(List<Path> files, long[] offsets, long[] lengths) {
    this.files = files;
    this.offsets = offsets;
    this.lengths = lengths;
  }

  static StoredSamples open(Path index) throws IOException {
    Path folder = Objects.requireNonNull(index.toAbsolutePath().getParent());
    List<List<String>> rows =
        Files.readAllLines(index).stream().map(line -> List.of(line.split(" ", -1))).toList();
    return new StoredSamples(
        rows.stream().map(row -> folder.resolve(row.get(0))).toList(),
        rows.stream().mapToLong(row -> Long.parseLong(row.get(1))).toArray(),
        rows.stream().mapToLong(row -> Long.parseLong(row.get(2))).toArray());
  }

  @Override
  public long size() {
    return files.size();
  }

  @Override
  public String fingerprint() {
    return "stored-samples-" + files.hashCode();
  }

  @Override
  public Schema schema() {
    return SCHEMA;
  }

  @Override
  public int storedField() {
    return 0;
  }

  @Override
  public void locate(long id, ObjectRange range) {
    int sample = (int) id;
    range.set(files.get(sample).toString(), offsets[sample], lengths[sample]);
  }

  @Override
  public void load(long id, Sample sample) {}

  @Override
  public String describe(long id) {
    return files.get((int) id).toString();
  }
}
