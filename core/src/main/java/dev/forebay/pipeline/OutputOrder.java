package dev.forebay.pipeline;

/** In which order finished batches reach the consumer. */
public enum OutputOrder {
  /**
   * As planned. Work inside runs out of order at sample level, so a slow sample costs nothing until
   * the prefetched batches are used up.
   */
  INPUT,
  /**
   * Whichever prefetched batch is finished first, as {@code in_order=False} of PyTorch. The order
   * within a batch stays as planned; which batch came when is recorded in the loader's state.
   */
  COMPLETION
}
