package dev.forebay.cli.recipe;

import dev.forebay.dataset.Dataset;
import java.util.List;

/** A dataset and what it is a view of. */
public final class OpenedDataset implements AutoCloseable {
  private final Dataset dataset;
  private final List<Dataset> owned;

  OpenedDataset(Dataset dataset, List<Dataset> owned) {
    this.dataset = dataset;
    this.owned = List.copyOf(owned);
  }

  /** What the recipe asks for; closed with this. */
  public Dataset dataset() {
    return dataset;
  }

  @Override
  public void close() {
    owned.forEach(Dataset::close);
  }
}
