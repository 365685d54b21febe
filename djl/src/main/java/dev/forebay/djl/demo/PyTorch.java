package dev.forebay.djl.demo;

import ai.djl.engine.Engine;
import ai.djl.pytorch.jni.JniUtils;
import java.io.PrintWriter;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The training engine, set up so that it neither looks for a network nor takes all cores.
 *
 * @param threads that it computes on
 * @param coresLeft for loading, at least 1
 */
record PyTorch(int threads, int coresLeft) {
  /** Held, because a logger's level is forgotten with it. */
  private static final Logger ENGINE_LOG = Logger.getLogger("ai.djl");

  /** Loads the engine, which takes some seconds the first time. */
  static PyTorch start(PrintWriter err) {
    System.setProperty("ai.djl.offline", "true");
    System.setProperty("OPT_OUT_TRACKING", "true");
    ENGINE_LOG.setLevel(Level.SEVERE);
    int cores = Runtime.getRuntime().availableProcessors();
    // One core stands for the accelerator of a real training on machines with few.
    int threads = Math.max(1, cores / 2);
    err.println("Starting PyTorch ...");
    err.flush();
    Engine.getInstance();
    JniUtils.setNumThreads(threads);
    return new PyTorch(threads, Math.max(1, cores - threads));
  }
}
