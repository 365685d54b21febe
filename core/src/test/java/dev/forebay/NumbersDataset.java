package dev.forebay;

import dev.forebay.dataset.Dataset;
import dev.forebay.error.BadDataException;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.transform.Sample;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * The numbers 0 to size - 1, with a hook that is called as each is loaded and some that are bad.
 */
record NumbersDataset(long size, LongConsumer onLoad, LongPredicate isBad) implements Dataset {
  static NumbersDataset of(long size) {
    return new NumbersDataset(size, _ -> {}, _ -> false);
  }

  NumbersDataset onLoad(LongConsumer hook) {
    return new NumbersDataset(size, hook, isBad);
  }

  NumbersDataset bad(LongPredicate predicate) {
    return new NumbersDataset(size, onLoad, predicate);
  }

  @Override
  public String fingerprint() {
    return "numbers-" + size;
  }

  @Override
  public Schema schema() {
    return Schema.of(Field.scalar("number", DType.INT64));
  }

  @Override
  public void load(long id, Sample sample) {
    onLoad.accept(id);
    if (isBad.test(id)) {
      throw new BadDataException("number " + id + " is bad");
    }
    sample.value(0).setLong(id);
  }
}
