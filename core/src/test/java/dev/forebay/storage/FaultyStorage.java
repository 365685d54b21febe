package dev.forebay.storage;

import dev.forebay.memory.Mix64;
import dev.forebay.memory.NativeBuffer;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store that fails on purpose, each way with a probability of its own. Thread-safe.
 *
 * <p>Whether a fault strikes is a pure function of (seed, fault, location, offset, attempt), where
 * the attempt counts the reads of that location and offset; so neither threads nor order matter,
 * and a test can ask beforehand with {@link #strikes}.
 */
public final class FaultyStorage implements ObjectStore {
  /** A way to fail. */
  public enum Fault {
    /** The read throws an {@link IOException}; the next attempt may succeed. */
    ERROR,
    /** The object ends in the middle of what was asked for. */
    TRUNCATION,
    /** One bit of what is read is wrong. */
    BIT_FLIP,
    /** The hook runs before the read. */
    DELAY,
    /** The object is gone, now and for every later attempt. */
    VANISH
  }

  private final ObjectStore store;
  private final long seed;
  private final Map<Fault, Double> probabilities = new EnumMap<>(Fault.class);
  private final Map<Fault, AtomicLong> injected = new EnumMap<>(Fault.class);
  private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger runningMax = new AtomicInteger();
  private volatile Runnable delay = () -> {};
  private volatile boolean closed;

  private FaultyStorage(ObjectStore store, long seed) {
    this.store = store;
    this.seed = seed;
    for (Fault fault : Fault.values()) {
      injected.put(fault, new AtomicLong());
    }
  }

  /** A store that does not fail yet, over one that works. It closes the latter with itself. */
  public static FaultyStorage over(ObjectStore store, long seed) {
    return new FaultyStorage(store, seed);
  }

  /** Gives a fault its probability; to be called before the first read. */
  public FaultyStorage with(Fault fault, double probability) {
    probabilities.put(fault, probability);
    return this;
  }

  /**
   * Runs {@code hook}, which may block, before the given share of reads; to be called before the
   * first read.
   */
  public FaultyStorage withDelay(double probability, Runnable hook) {
    this.delay = hook;
    return with(Fault.DELAY, probability);
  }

  /** Whether a fault strikes, at which attempt (0-based) on which range. */
  public boolean strikes(Fault fault, String location, long offset, int attempt) {
    int counted = fault == Fault.VANISH ? 0 : attempt;
    long at = fault == Fault.VANISH ? 0 : offset;
    long key = Mix64.key(seed ^ mixText(fault.name()), counted, mixText(location) ^ Mix64.mix(at));
    return Mix64.unit(key) < probabilities.getOrDefault(fault, 0.0);
  }

  private static long mixText(String text) {
    long hash = 0;
    for (int i = 0; i < text.length(); i++) {
      hash = Mix64.mix(hash + text.charAt(i));
    }
    return hash;
  }

  @Override
  public long read(ObjectRange range, NativeBuffer into) throws IOException {
    if (closed) {
      throw new IllegalStateException("read of " + range + " after close");
    }
    calls.incrementAndGet();
    runningMax.accumulateAndGet(running.incrementAndGet(), Math::max);
    try {
      return readWithFaults(range, into);
    } finally {
      running.decrementAndGet();
    }
  }

  private long readWithFaults(ObjectRange range, NativeBuffer into) throws IOException {
    String location = range.location();
    int attempt =
        attempts
            .computeIfAbsent(location + ' ' + range.offset(), _ -> new AtomicInteger())
            .getAndIncrement();
    if (injects(Fault.DELAY, range, attempt)) {
      delay.run();
    }
    if (injects(Fault.VANISH, range, attempt)) {
      throw new NoSuchFileException(location, null, "vanished on purpose");
    }
    if (injects(Fault.ERROR, range, attempt)) {
      throw new FileSystemException(location, null, "failed on purpose");
    }
    long bytes = store.read(range, into);
    if (bytes > 0 && injects(Fault.BIT_FLIP, range, attempt)) {
      flipBit(into, bytes, attempt);
    }
    if (bytes > 0 && injects(Fault.TRUNCATION, range, attempt)) {
      return truncated(range, bytes);
    }
    return bytes;
  }

  private boolean injects(Fault fault, ObjectRange range, int attempt) {
    boolean strikes = strikes(fault, range.location(), range.offset(), attempt);
    if (strikes) {
      injected(fault, 1);
    }
    return strikes;
  }

  private long injected(Fault fault, long more) {
    AtomicLong count = injected.get(fault);
    return count == null ? 0 : count.addAndGet(more);
  }

  private void flipBit(NativeBuffer into, long bytes, int attempt) {
    long bit = Long.remainderUnsigned(Mix64.key(seed, attempt, bytes), bytes * Byte.SIZE);
    long place = bit / Byte.SIZE;
    byte original = into.segment().get(ValueLayout.JAVA_BYTE, place);
    int flipped = original ^ (1 << (int) (bit % Byte.SIZE));
    into.segment().set(ValueLayout.JAVA_BYTE, place, (byte) flipped);
  }

  private static long truncated(ObjectRange range, long bytes) throws EOFException {
    if (range.length() != ObjectRange.TO_END) {
      throw new EOFException(range + ": truncated on purpose");
    }
    return bytes / 2;
  }

  /** How many reads were asked for. */
  public long calls() {
    return calls.get();
  }

  /** How often a fault struck. */
  public long injected(Fault fault) {
    return injected(fault, 0);
  }

  /** How many reads run now. */
  public int running() {
    return running.get();
  }

  /** The most reads that ran at once. */
  public int runningMax() {
    return runningMax.get();
  }

  /** True once it was closed. */
  public boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    store.close();
  }
}
