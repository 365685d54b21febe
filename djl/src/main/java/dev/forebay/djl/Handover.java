package dev.forebay.djl;

/** How a batch's numbers get into DJL's arrays. */
public enum Handover {
  /**
   * They are copied, at the speed of memory, and the loader's own memory is free at once. The
   * arrays live as long as DJL keeps them.
   */
  COPY,
  /**
   * The arrays are views of the loader's memory, without a copy. They, and everything that shares
   * memory with them, must not be used once the batch is closed or the next one is asked for: the
   * loader fills that memory anew.
   */
  VIEW
}
