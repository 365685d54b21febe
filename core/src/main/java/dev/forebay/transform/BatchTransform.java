package dev.forebay.transform;

import dev.forebay.memory.Schema;

/**
 * The definition of a step that changes a whole batch in place, such as MixUp. Immutable; called by
 * several workers at once, so implementations are thread-safe. All fields it touches have fixed
 * shapes.
 */
public interface BatchTransform {
  /** The dataset's schema as the workers must build it, and as the batch will show it. */
  Schema output(Schema input);

  /** Changes the batch in place. */
  void apply(BatchRows rows);

  /** The name and all parameters, as text. */
  default String identity() {
    return toString();
  }
}
