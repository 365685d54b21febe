package dev.forebay.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A generator of test values: a pure function of a random source and a size. Implementations are
 * immutable. Values shrink by halving (numbers towards the one nearest zero) and dropping (elements
 * of lists), and so do all values that are put together from them.
 */
@FunctionalInterface
public interface Gen<T> {

  /**
   * Draws one value.
   *
   * @param size bounds the length of lists, arrays and texts; at least 0
   */
  Drawn<T> draw(SplittableRandom random, int size);

  /** Always the same value. */
  static <T> Gen<T> constant(T value) {
    return (random, size) -> Drawn.fixed(value);
  }

  /** One of the given values; shrinks to earlier ones. */
  @SafeVarargs
  @SuppressWarnings("varargs") // List.of copies the array and keeps no reference to it
  static <T> Gen<T> oneOf(T... values) {
    List<T> choices = List.of(values);
    return ints(0, choices.size() - 1).map(choices::get);
  }

  /** True or false; shrinks to false. */
  static Gen<Boolean> booleans() {
    return oneOf(false, true);
  }

  /** Integers in [min, max], the ends and the numbers around zero more often than others. */
  static Gen<Integer> ints(int min, int max) {
    return longs(min, max).map(Math::toIntExact);
  }

  /** Integers in [min, max], the ends and the numbers around zero more often than others. */
  static Gen<Long> longs(long min, long max) {
    if (min > max) {
      throw new IllegalArgumentException("min=" + min + " max=" + max + " must be in order");
    }
    return (random, size) -> Numbers.shrinking(Numbers.draw(random, min, max), min, max);
  }

  /** Numbers in [min, max), finite; shrinks to whole numbers and towards zero. */
  static Gen<Double> doubles(double min, double max) {
    return (random, size) -> Numbers.shrinking(random.nextDouble(min, max), min, max);
  }

  /** Lists of 0 to {@code lengthMax} elements. */
  static <T> Gen<List<T>> lists(Gen<T> element, int lengthMax) {
    return lists(element, 0, lengthMax);
  }

  /** Lists of {@code lengthMin} to {@code lengthMax} elements, both included. */
  static <T> Gen<List<T>> lists(Gen<T> element, int lengthMin, int lengthMax) {
    return (random, size) -> Lists.draw(element, lengthMin, lengthMax, random, size);
  }

  /** Arrays of 0 to {@code lengthMax} bytes. */
  static Gen<byte[]> bytes(int lengthMax) {
    return lists(longs(Byte.MIN_VALUE, Byte.MAX_VALUE), lengthMax)
        .map(
            elements -> {
              byte[] bytes = new byte[elements.size()];
              for (int i = 0; i < bytes.length; i++) {
                bytes[i] = elements.get(i).byteValue();
              }
              return bytes;
            });
  }

  /**
   * Texts of 0 to {@code lengthMax} characters out of {@code alphabet}, which must be in the BMP.
   */
  static Gen<String> strings(String alphabet, int lengthMax) {
    return lists(ints(0, alphabet.length() - 1), lengthMax)
        .map(
            indices -> {
              StringBuilder text = new StringBuilder();
              indices.forEach(index -> text.append(alphabet.charAt(index)));
              return text.toString();
            });
  }

  /** What {@code function} makes of this generator's values. */
  default <U> Gen<U> map(Function<? super T, ? extends U> function) {
    return (random, size) -> draw(random, size).map(function);
  }

  /** What {@code function} makes of independent values of two generators. */
  default <U, V> Gen<V> with(Gen<U> other, BiFunction<? super T, ? super U, ? extends V> function) {
    return (random, size) ->
        Lists.pair(draw(random.split(), size), other.draw(random.split(), size), function);
  }

  /**
   * Values of a generator that is chosen by a first value. Shrinking tries simpler first values,
   * with the same random numbers for the second, then simpler second values.
   */
  default <U> Gen<U> then(Function<? super T, Gen<U>> next) {
    return (random, size) -> {
      Drawn<T> first = draw(random.split(), size);
      long seed = random.nextLong();
      return follow(first, value -> next.apply(value).draw(new SplittableRandom(seed), size));
    };
  }

  private static <T, U> Drawn<U> follow(Drawn<T> first, Function<T, Drawn<U>> next) {
    Drawn<U> second = next.apply(first.value());
    return new Drawn<>(
        second.value(),
        () -> {
          List<Drawn<U>> simpler = new ArrayList<>();
          for (Drawn<T> candidate : first.simpler().get()) {
            simpler.add(follow(candidate, next));
          }
          simpler.addAll(second.simpler().get());
          return simpler;
        });
  }
}
