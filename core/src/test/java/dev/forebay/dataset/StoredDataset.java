package dev.forebay.dataset;

import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.storage.ObjectRange;
import dev.forebay.transform.Sample;
import java.util.List;

/** Samples whose only field is read from files that need not exist. */
record StoredDataset(List<String> names) implements Dataset {
  static StoredDataset of(String... names) {
    return new StoredDataset(List.of(names));
  }

  @Override
  public long size() {
    return names.size();
  }

  @Override
  public String fingerprint() {
    return "stored-" + String.join("-", names);
  }

  @Override
  public Schema schema() {
    return Schema.of(Field.bytes("data"));
  }

  @Override
  public void load(long id, Sample sample) {}

  @Override
  public int storedField() {
    return 0;
  }

  @Override
  public void locate(long id, ObjectRange range) {
    range.set("/" + names.get((int) id), 0, ObjectRange.TO_END);
  }

  @Override
  public String describe(long id) {
    return "file " + names.get((int) id);
  }
}
