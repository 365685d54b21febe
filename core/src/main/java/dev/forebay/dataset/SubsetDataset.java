package dev.forebay.dataset;

import dev.forebay.memory.Schema;
import dev.forebay.storage.ObjectRange;
import dev.forebay.transform.Sample;
import java.io.IOException;
import java.util.Objects;

/**
 * Some samples of another dataset, in an order of their own; a sample may occur more than once.
 * Immutable and thread-safe.
 *
 * <p>It is a view: {@link #close()} does nothing, and the other dataset is closed by whoever opened
 * it, after the last loader that uses the subset. A subset of a subset refers straight to the
 * dataset below, so views never pile up.
 */
public final class SubsetDataset implements Dataset {
  private final Dataset dataset;
  private final SampleIds ids;
  private final String fingerprint;

  private SubsetDataset(Dataset dataset, SampleIds ids, String fingerprint) {
    this.dataset = dataset;
    this.ids = ids;
    this.fingerprint = fingerprint;
  }

  /**
   * The samples with the given ids. Takes 8 bytes a sample.
   *
   * @throws IndexOutOfBoundsException if the dataset has no sample of that id
   */
  public static SubsetDataset of(Dataset dataset, long... ids) {
    Objects.requireNonNull(dataset, "dataset");
    long[] copy = ids.clone();
    for (int index = 0; index < copy.length; index++) {
      if (copy[index] < 0 || copy[index] >= dataset.size()) {
        throw new IndexOutOfBoundsException(
            "ids[%d]=%d is not a sample; the dataset has %d"
                .formatted(index, copy[index], dataset.size()));
      }
    }
    return listed(dataset, copy);
  }

  private static SubsetDataset listed(Dataset dataset, long[] ids) {
    Dataset below = dataset;
    if (dataset instanceof SubsetDataset subset) {
      for (int index = 0; index < ids.length; index++) {
        ids[index] = subset.ids.at(ids[index]);
      }
      below = subset.dataset;
    }
    Digest digest = new Digest("subset").text(below.fingerprint()).number(ids.length);
    for (long id : ids) {
      digest.number(id);
    }
    return new SubsetDataset(below, new SampleIds.Listed(ids), digest.fingerprint());
  }

  /** A stretch of a permuted dataset; written down only where that dataset is a subset itself. */
  static SubsetDataset permuted(Dataset dataset, SampleIds.Permuted ids, long seed) {
    if (dataset instanceof SubsetDataset) {
      long[] list = new long[Math.toIntExact(ids.size())];
      for (int index = 0; index < list.length; index++) {
        list[index] = ids.at(index);
      }
      return listed(dataset, list);
    }
    Digest digest = new Digest("split").text(dataset.fingerprint()).number(seed);
    digest.number(ids.start()).number(ids.size());
    return new SubsetDataset(dataset, ids, digest.fingerprint());
  }

  /** The id, in the dataset below, of this one's sample {@code id}. */
  private long idBelow(long id) {
    return ids.at(Objects.checkIndex(id, ids.size()));
  }

  @Override
  public long size() {
    return ids.size();
  }

  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public Schema schema() {
    return dataset.schema();
  }

  @Override
  public void load(long id, Sample sample) throws IOException {
    dataset.load(idBelow(id), sample);
  }

  @Override
  public int storedField() {
    return dataset.storedField();
  }

  @Override
  public void locate(long id, ObjectRange range) {
    dataset.locate(idBelow(id), range);
  }

  @Override
  public String describe(long id) {
    return dataset.describe(idBelow(id));
  }
}
