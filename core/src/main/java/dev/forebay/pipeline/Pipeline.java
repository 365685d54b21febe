package dev.forebay.pipeline;

/** Turns a plan into batches. */
public final class Pipeline {
  private Pipeline() {}
}
