package dev.forebay.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the same test code in several threads that start together. */
public final class Concurrently {
  /** Test code that gets the number of its thread. */
  public interface Body {
    void run(int thread) throws Exception;
  }

  private Concurrently() {}

  /** Runs {@code body} in all threads and throws what the first of them threw. */
  public static void run(int threads, Body body) throws Exception {
    var start = new CountDownLatch(1);
    List<Future<?>> running = new ArrayList<>();
    try (var executor = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < threads; i++) {
        int thread = i;
        running.add(
            executor.submit(
                () -> {
                  start.await();
                  body.run(thread);
                  return null;
                }));
      }
      start.countDown();
      for (Future<?> future : running) {
        future.get();
      }
    } catch (ExecutionException failure) {
      throw new AssertionError("a thread failed", failure.getCause());
    }
  }
}
