package dev.forebay.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;

/** Drawing and shrinking lists and pairs. Stateless. */
final class Lists {
  private Lists() {}

  static <T> Drawn<List<T>> draw(
      Gen<T> element, int lengthMin, int lengthMax, SplittableRandom random, int size) {
    if (lengthMin < 0 || lengthMin > lengthMax) {
      throw new IllegalArgumentException(
          "lengthMin=" + lengthMin + " lengthMax=" + lengthMax + " must be in order, from 0");
    }
    int longest = Math.clamp(size, lengthMin, lengthMax);
    int length = random.nextInt(lengthMin, longest + 1);
    List<Drawn<T>> elements = new ArrayList<>(length);
    for (int i = 0; i < length; i++) {
      elements.add(element.draw(random, size));
    }
    return shrinking(elements, lengthMin);
  }

  private static <T> Drawn<List<T>> shrinking(List<Drawn<T>> elements, int lengthMin) {
    List<T> values = new ArrayList<>(elements.size());
    elements.forEach(element -> values.add(element.value()));
    return new Drawn<>(
        // List.of would refuse null elements, which a generator may well draw.
        Collections.unmodifiableList(values),
        () -> {
          List<Drawn<List<T>>> simpler = new ArrayList<>();
          addDropped(simpler, elements, lengthMin);
          addSimplerElements(simpler, elements, lengthMin);
          return simpler;
        });
  }

  /** Lists without a run of elements: first without half of them, at last without one. */
  private static <T> void addDropped(
      List<Drawn<List<T>>> simpler, List<Drawn<T>> elements, int lengthMin) {
    int size = elements.size();
    for (int run = size - lengthMin; run > 0; run /= 2) {
      for (int start = 0; start + run <= size; start += run) {
        List<Drawn<T>> kept = new ArrayList<>(elements.subList(0, start));
        kept.addAll(elements.subList(start + run, size));
        simpler.add(shrinking(kept, lengthMin));
      }
    }
  }

  private static <T> void addSimplerElements(
      List<Drawn<List<T>>> simpler, List<Drawn<T>> elements, int lengthMin) {
    for (int i = 0; i < elements.size(); i++) {
      for (Drawn<T> candidate : elements.get(i).simpler().get()) {
        List<Drawn<T>> changed = new ArrayList<>(elements);
        changed.set(i, candidate);
        simpler.add(shrinking(changed, lengthMin));
      }
    }
  }

  static <T, U, V> Drawn<V> pair(
      Drawn<T> left, Drawn<U> right, BiFunction<? super T, ? super U, ? extends V> function) {
    return new Drawn<>(
        function.apply(left.value(), right.value()),
        () -> {
          List<Drawn<V>> simpler = new ArrayList<>();
          for (Drawn<T> candidate : left.simpler().get()) {
            simpler.add(pair(candidate, right, function));
          }
          for (Drawn<U> candidate : right.simpler().get()) {
            simpler.add(pair(left, candidate, function));
          }
          return simpler;
        });
  }
}
