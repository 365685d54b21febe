package dev.forebay.transform;

/**
 * A user's own collation: makes an object of a batch's finished rows. Called by several workers at
 * once, so implementations are thread-safe. What it returns must not refer to the rows' memory.
 */
@FunctionalInterface
public interface Collator {
  /** The batch as the user wants it. */
  Object collate(BatchRows rows);
}
