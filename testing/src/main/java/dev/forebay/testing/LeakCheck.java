package dev.forebay.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The JUnit extension that fails a test which leaves something behind: Forebay's platform threads,
 * open file descriptors, files in {@code /dev/shm}, and whatever further {@link Probe}s count.
 *
 * <p>It compares what lives before the first {@code @BeforeEach} with what lives after the last
 * {@code @AfterEach}, and gives what is about to end five seconds for it. Use it as
 * {@code @ExtendWith(LeakCheck.class)}, or with further probes as
 *
 * {@snippet :
 * @RegisterExtension
 * final LeakCheck leaks = LeakCheck.with(LeakCheck.bytes("native memory", budget::bytesLive));
 * }
 *
 * <p>Tests that use it must not run at the same time as others in the same JVM. Immutable.
 */
public final class LeakCheck implements BeforeEachCallback, AfterEachCallback {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(LeakCheck.class);

  private final List<Probe> probes;
  private final long patienceNanos;

  /** Watches threads, descriptors, shared memory and what {@link ServiceLoader} finds. */
  public LeakCheck() {
    this(defaultProbes(), PATIENCE_NANOS);
  }

  LeakCheck(List<Probe> probes, long patienceNanos) {
    this.probes = List.copyOf(probes);
    this.patienceNanos = patienceNanos;
  }

  /**
   * Counts things that live and must be given back. Thread-safe. Implementations that a module
   * lists in {@code META-INF/services} take part in every check.
   */
  public interface Probe {
    /** What is counted, for messages. */
    String name();

    /** How much of what lives now, by description; what has no entry counts as 0. */
    Map<String, Long> live();

    /** Waits for an end that may be near, at most {@code nanosMax}. */
    default void pause(long nanosMax) throws InterruptedException {
      Deadline.pause();
    }
  }

  /** The usual check with further probes. */
  public static LeakCheck with(Probe... probes) {
    List<Probe> all = defaultProbes();
    all.addAll(List.of(probes));
    return new LeakCheck(all, PATIENCE_NANOS);
  }

  /** A probe of one counter, of live bytes for example. */
  public static Probe bytes(String name, LongSupplier live) {
    return new Probe() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public Map<String, Long> live() {
        return Map.of("bytes", live.getAsLong());
      }
    };
  }

  private static List<Probe> defaultProbes() {
    List<Probe> all = new ArrayList<>(LeakProbes.standard());
    ServiceLoader.load(Probe.class).forEach(all::add);
    return all;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(NAMESPACE).put(this, start());
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    Start start = context.getStore(NAMESPACE).remove(this, Start.class);
    if (start != null) {
      start.check();
    }
  }

  /** Notes what lives now. */
  Start start() {
    List<Map<String, Long>> live = new ArrayList<>();
    probes.forEach(probe -> live.add(probe.live()));
    return new Start(live);
  }

  /** What lived at the start of a test. Immutable. */
  final class Start {
    private final List<Map<String, Long>> before;

    private Start(List<Map<String, Long>> before) {
      this.before = List.copyOf(before);
    }

    /** Fails unless all that lives has lived at the start. */
    void check() throws InterruptedException {
      Deadline deadline = Deadline.in(patienceNanos);
      List<String> leaks = new ArrayList<>();
      for (int i = 0; i < probes.size(); i++) {
        leaks.addAll(leaks(probes.get(i), before.get(i), deadline));
      }
      if (!leaks.isEmpty()) {
        throw new AssertionError(
            "the test leaves behind:\n  "
                + String.join("\n  ", leaks)
                + "\nclose what it opened, and make close() wait for what it ends");
      }
    }

    private static List<String> leaks(Probe probe, Map<String, Long> before, Deadline deadline)
        throws InterruptedException {
      while (true) {
        List<String> leaks = new ArrayList<>();
        new TreeMap<>(probe.live())
            .forEach(
                (what, amount) -> {
                  long more = amount - before.getOrDefault(what, 0L);
                  if (more > 0) {
                    leaks.add(probe.name() + ": " + what + " (" + more + " more)");
                  }
                });
        long nanosLeft = deadline.nanosLeft();
        if (leaks.isEmpty() || nanosLeft <= 0) {
          return leaks;
        }
        probe.pause(nanosLeft);
      }
    }
  }
}
