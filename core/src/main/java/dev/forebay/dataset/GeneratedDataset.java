package dev.forebay.dataset;

import dev.forebay.memory.Schema;
import dev.forebay.transform.Sample;
import java.io.IOException;
import java.util.Objects;

/**
 * Samples that are computed when they are needed, for tests, benchmarks and simulations. Immutable
 * and thread-safe if its {@link Generator} is.
 */
public final class GeneratedDataset implements Dataset {
  private final long size;
  private final Schema schema;
  private final String fingerprint;
  private final Generator generator;

  /** Computes samples. Called by several workers at once, so implementations are thread-safe. */
  @FunctionalInterface
  public interface Generator {
    /**
     * Writes every field of a sample. The result must depend on {@code id} alone: {@link
     * Sample#random()} differs from epoch to epoch, and {@link Sample#id()} is another number where
     * the dataset is part of a subset or a concatenation. Random samples come from {@link
     * dev.forebay.memory.Mix64#number} with a constant key.
     *
     * @param id 0 to {@code size - 1}
     * @throws dev.forebay.error.BadDataException if the sample cannot be made
     */
    void generate(long id, Sample sample) throws IOException;
  }

  private GeneratedDataset(long size, Schema schema, String identity, Generator generator) {
    this.size = size;
    this.schema = schema;
    this.generator = generator;
    Digest digest = new Digest("generated").text(identity).number(size);
    this.fingerprint = digest.text(schema.toString()).fingerprint();
  }

  /**
   * The dataset of what {@code generator} computes.
   *
   * @param size the number of samples, at least 0
   * @param schema the fields that the generator writes
   * @param identity names the generator in the fingerprint; change it when its results change
   */
  public static GeneratedDataset of(
      long size, Schema schema, String identity, Generator generator) {
    Objects.requireNonNull(schema, "schema");
    Objects.requireNonNull(identity, "identity");
    Objects.requireNonNull(generator, "generator");
    if (size < 0) {
      throw new IllegalArgumentException("size=" + size + " must be >= 0");
    }
    return new GeneratedDataset(size, schema, identity, generator);
  }

  @Override
  public long size() {
    return size;
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
    generator.generate(Objects.checkIndex(id, size), sample);
  }

  @Override
  public String describe(long id) {
    return "generated sample " + id;
  }
}
