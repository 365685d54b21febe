package dev.forebay.pipeline;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Buffers in a line, of which several change hands at once: a lock and a wake-up for each would
 * cost more than reading a small file. First in, first out. Thread-safe; it owns what is in it.
 *
 * <p>Several buffers are a chain, linked by {@link FetchBuffer#next}; whoever takes one owns all of
 * it. Everything is guarded by {@code lock}; {@code size} is written under it and read by anyone.
 * One waiting thread is woken when buffers come, and wakes the next if it leaves some.
 */
final class BufferQueue {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private @Nullable FetchBuffer head;
  private @Nullable FetchBuffer tail;
  private volatile int size;

  /** Adds a chain at the end. */
  void add(FetchBuffer chain) {
    FetchBuffer last = chain;
    int count = 1;
    for (FetchBuffer next = last.next; next != null; next = next.next) {
      last = next;
      count++;
    }
    lock.lock();
    try {
      if (tail == null) {
        head = chain;
      } else {
        tail.next = chain;
      }
      tail = last;
      setSize(size + count);
      filled.signal();
    } finally {
      lock.unlock();
    }
  }

  private void setSize(int newSize) {
    size = newSize;
  }

  /** Takes a chain of up to {@code max} buffers from the front; waits until there is one. */
  FetchBuffer take(int max) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (head == null) {
        filled.await();
      }
      return remove(head, max);
    } finally {
      lock.unlock();
    }
  }

  /** Takes one buffer from the front; null if there is none. */
  @Nullable FetchBuffer poll() {
    lock.lock();
    try {
      return head == null ? null : remove(head, 1);
    } finally {
      lock.unlock();
    }
  }

  private FetchBuffer remove(FetchBuffer first, int max) {
    FetchBuffer last = first;
    int count = 1;
    while (count < max && last.next != null) {
      last = last.next;
      count++;
    }
    head = last.next;
    last.next = null;
    if (head == null) {
      tail = null;
    } else {
      filled.signal();
    }
    setSize(size - count);
    return first;
  }

  /** The number of buffers in it. */
  int size() {
    return size;
  }

  /** Closes all buffers in it. */
  void close() {
    for (FetchBuffer buffer = poll(); buffer != null; buffer = poll()) {
      buffer.close();
    }
  }
}
