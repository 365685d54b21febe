package dev.forebay.cli.inspect;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Transform;

/**
 * Replaces a value by nothing: for passes that only want to know whether it can be made.
 *
 * @param field its name
 */
record Presence(String field) implements Transform {
  @Override
  public Schema output(Schema input) {
    return input.with(input.slot(field), Field.tensor(field, DType.UINT8, Shape.scalar()));
  }

  @Override
  public Step open(Schema input) {
    int slot = input.slot(field);
    return sample -> sample.value(slot).writeScalar(DType.UINT8);
  }

  @Override
  public String writes() {
    return field;
  }
}
