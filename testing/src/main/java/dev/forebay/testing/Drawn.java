package dev.forebay.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A generated value together with simpler ones to try in its place. Immutable; the simpler ones are
 * made only when asked for.
 *
 * @param value what was drawn
 * @param simpler candidates, the simplest first; finite, and so are the candidates' own
 */
public record Drawn<T>(T value, Supplier<List<Drawn<T>>> simpler) {

  /** A value that cannot be made simpler. */
  public static <T> Drawn<T> fixed(T value) {
    return new Drawn<>(value, List::of);
  }

  <U> Drawn<U> map(Function<? super T, ? extends U> function) {
    return new Drawn<>(
        function.apply(value),
        () -> {
          List<Drawn<U>> mapped = new ArrayList<>();
          for (Drawn<T> candidate : simpler.get()) {
            mapped.add(candidate.map(function));
          }
          return mapped;
        });
  }
}
