package dev.forebay.testing;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A statement that must hold for every value of a generator, checked on many of them. A value for
 * which it fails is shrunk before it is reported. Immutable.
 *
 * {@snippet :
 * Property.check(
 *     Gen.lists(Gen.ints(0, 9), 50),
 *     list -> assertEquals(list, list.reversed().reversed()));
 * }
 */
public final class Property {
  private static final int CASES = 100;
  private static final int SIZE_MAX = 100;
  private static final int SHRINKS_MAX = 5_000;
  private static final int SHOWN_CHARS_MAX = 2_000;

  private final int cases;
  private final int sizeMax;
  private final List<Long> regressions;

  private Property(int cases, int sizeMax, List<Long> regressions) {
    this.cases = cases;
    this.sizeMax = sizeMax;
    this.regressions = regressions;
  }

  /** What must hold: returns normally if it does, throws if it does not. */
  @FunctionalInterface
  public interface Check<T> {
    /** Tests one value, which must not be changed. */
    void test(T value) throws Exception;
  }

  /** Checks 100 values with lists of up to 100 elements. */
  public static <T> void check(Gen<T> gen, Check<? super T> check) {
    cases(CASES).holds(gen, check);
  }

  /** A property that is checked on this many values, at least 1. */
  public static Property cases(int cases) {
    if (cases < 1) {
      throw new IllegalArgumentException("cases=" + cases + " must be >= 1");
    }
    return new Property(cases, SIZE_MAX, List.of());
  }

  /** The same with lists, arrays and texts of at most {@code sizeMax} elements. */
  public Property sizeMax(int sizeMax) {
    return new Property(cases, sizeMax, regressions);
  }

  /** The same, and the seeds of former failures, as a failure's message names them, come first. */
  public Property regressions(long... seeds) {
    return new Property(cases, sizeMax, LongStream.of(seeds).boxed().toList());
  }

  /**
   * Checks the property.
   *
   * @throws AssertionError if it fails, with the shrunk value, the case's seed and, as the cause,
   *     what {@code check} threw
   */
  public <T> void holds(Gen<T> gen, Check<? super T> check) {
    for (long seed : regressions) {
      checkCase(gen, check, seed);
    }
    long master = Seeds.master();
    for (int index = 0; index < cases; index++) {
      checkCase(gen, check, Seeds.derive(master, index));
    }
  }

  private <T> void checkCase(Gen<T> gen, Check<? super T> check, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    // The size comes from the seed, so that the seed alone names the case; the square makes small
    // values, which are quick and find most errors, more frequent.
    double share = random.nextDouble();
    Drawn<T> drawn = gen.draw(random, (int) Math.round(share * share * sizeMax));
    Throwable failure = failure(check, drawn.value());
    if (failure != null) {
      throw shrunk(new Failed<>(drawn, failure), check, seed);
    }
  }

  private record Failed<T>(Drawn<T> drawn, Throwable failure) {}

  private static <T> AssertionError shrunk(Failed<T> first, Check<? super T> check, long seed) {
    Failed<T> simplest = first;
    int attempts = 0;
    for (boolean found = true; found; ) {
      found = false;
      for (Drawn<T> candidate : simplest.drawn.simpler().get()) {
        if (attempts++ == SHRINKS_MAX) {
          break;
        }
        Throwable failure = failure(check, candidate.value());
        if (failure != null) {
          simplest = new Failed<>(candidate, failure);
          found = true;
          break;
        }
      }
    }
    return new AssertionError(message(first, simplest, seed), simplest.failure);
  }

  private static <T> String message(Failed<T> first, Failed<T> simplest, long seed) {
    String original = show(first.drawn.value());
    String shrunk = show(simplest.drawn.value());
    return "the property fails for "
        + shrunk
        + (original.equals(shrunk) ? "" : "\n  shrunk from " + original)
        + "\n  because "
        + simplest.failure
        + "\n  to keep this case add .regressions("
        + Seeds.hex(seed)
        + "L); to repeat the run add "
        + Seeds.option();
  }

  /* Errors count as well: a StackOverflowError for some input is a finding like any other. */
  private static <T> @Nullable Throwable failure(Check<? super T> check, T value) {
    try {
      check.test(value);
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return e;
    } catch (Exception | Error e) {
      return e;
    }
  }

  /** A value as text, arrays with their elements, cut where it gets long. */
  static String show(@Nullable Object value) {
    String text = java.util.Arrays.deepToString(new @Nullable Object[] {value});
    String inner = text.substring(1, text.length() - 1);
    return inner.length() <= SHOWN_CHARS_MAX
        ? inner
        : inner.substring(0, SHOWN_CHARS_MAX) + "... (" + inner.length() + " characters)";
  }
}
