package dev.forebay.transform;

import dev.forebay.memory.Schema;
import java.util.function.Consumer;

/** A user's own step. Its randomness is unknown, so it counts as random. */
record CustomTransform(String name, Consumer<Sample> code) implements Transform {
  @Override
  public Schema output(Schema input) {
    return input;
  }

  @Override
  public Step open(Schema input) {
    return code::accept;
  }

  @Override
  public String identity() {
    return "custom[" + name + "]";
  }

  @Override
  public boolean isRandom() {
    return true;
  }
}
