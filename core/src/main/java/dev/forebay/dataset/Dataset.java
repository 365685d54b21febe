package dev.forebay.dataset;

import dev.forebay.memory.Schema;
import dev.forebay.storage.ObjectRange;
import dev.forebay.transform.Sample;
import java.io.IOException;

/**
 * An immutable, sized, random-access description of samples. Thread-safe: workers call it
 * concurrently.
 *
 * <p>A sample's values come from two places. If {@link #storedField()} is not negative, the
 * pipeline first reads what {@link #locate} names and puts the bytes into that field; then, for
 * every dataset, {@link #load} fills in the other fields. The order of samples and what becomes of
 * them are no business of a dataset.
 */
public interface Dataset extends AutoCloseable {

  /** The number of samples; their ids are 0 to {@code size() - 1}. */
  long size();

  /**
   * Identifies content and version: equal fingerprints mean equal samples. Any short text without
   * white space.
   */
  String fingerprint();

  /** The fields of every sample. */
  Schema schema();

  /**
   * Fills the values of sample {@code id}, all but the stored field. Must neither block on storage
   * nor allocate in steady state, where it can be helped.
   *
   * @throws dev.forebay.error.BadDataException if the sample's data is at fault
   */
  void load(long id, Sample sample) throws IOException;

  /** The slot of the field whose bytes are read from storage, or -1 if there is none. */
  default int storedField() {
    return -1;
  }

  /**
   * Says what to read for sample {@code id}; called only if {@link #storedField()} is not negative.
   */
  default void locate(long id, ObjectRange range) {
    throw new IllegalStateException("this dataset has no stored field");
  }

  /** Where a person finds sample {@code id}: a path, or an object and byte range. */
  default String describe(long id) {
    return "sample " + id;
  }

  /** Frees what the dataset holds; must be called after the last loader that uses it is closed. */
  @Override
  default void close() {}
}
