package dev.forebay.cli.recipe;

import dev.forebay.cli.console.Quantities;
import dev.forebay.cli.recipe.Node.Scalar.Kind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The types of single values and lists. */
final class Types {
  /** The largest bound that is not worth mentioning. */
  static final long UNBOUNDED = Long.MAX_VALUE;

  private static final Pattern WHOLE = Pattern.compile("[-+]?(0|[1-9][0-9]{0,30})");
  private static final Pattern REAL =
      Pattern.compile("[-+]?([0-9]{1,300}\\.?[0-9]{0,300}|\\.[0-9]{1,300})([eE][-+]?[0-9]{1,5})?");

  private Types() {}

  private record Parsed(String expected, Function<Node.Scalar, @Nullable Object> parse)
      implements Type {
    @Override
    public Object read(Node node, String path) {
      Object value = node instanceof Node.Scalar scalar ? parse.apply(scalar) : null;
      if (value == null) {
        throw mismatch(node, path);
      }
      return value;
    }
  }

  /** A whole number, as a Long. */
  static Type whole(long min, long max) {
    return new Parsed("a whole number" + range(min, max), scalar -> wholeOf(scalar, min, max));
  }

  private static String range(long min, long max) {
    if (max == UNBOUNDED) {
      return min == Long.MIN_VALUE ? "" : " >= " + min;
    }
    return " from " + min + " to " + max;
  }

  private static @Nullable Long wholeOf(Node.Scalar scalar, long min, long max) {
    if (scalar.kind() != Kind.NUMBER || !WHOLE.matcher(scalar.text()).matches()) {
      return null;
    }
    try {
      long value = new BigDecimal(scalar.text()).longValueExact();
      return value >= min && value <= max ? value : null;
    } catch (ArithmeticException _) {
      return null; // beyond 64 bits, so out of any range
    }
  }

  /** A whole number, or a word that stands for one. */
  static Type wholeOr(String word, long meaning, long min, long max) {
    Type whole = whole(min, max);
    return new Type() {
      @Override
      public Object read(Node node, String path) {
        boolean isWord = node instanceof Node.Scalar scalar && scalar.text().equals(word);
        Object number = node instanceof Node.Scalar scalar ? wholeOf(scalar, min, max) : null;
        if (!isWord && number == null) {
          throw mismatch(node, path);
        }
        return number == null ? meaning : number;
      }

      @Override
      public String expected() {
        return "'" + word + "' or " + whole.expected();
      }

      @Override
      public Object plain(Object value) {
        return value.equals(meaning) ? word : value;
      }
    };
  }

  /** A finite number, as a Double. */
  static Type real(double min, double max) {
    boolean isBounded = max < Double.MAX_VALUE;
    String range =
        min == -Double.MAX_VALUE ? "" : isBounded ? " from " + min + " to " + max : " >= " + min;
    return new Parsed("a number" + range, scalar -> realOf(scalar, min, max));
  }

  /** A finite number above zero, as a Double. */
  static Type positive() {
    return new Parsed(
        "a number above 0", scalar -> realOf(scalar, Double.MIN_VALUE, Double.MAX_VALUE));
  }

  private static @Nullable Double realOf(Node.Scalar scalar, double min, double max) {
    // YAML 1.1 takes 1e-3 for a text.
    boolean isNumber = scalar.kind() == Kind.NUMBER || scalar.text().matches(".*[0-9][eE].*");
    if (!isNumber || !REAL.matcher(scalar.text()).matches()) {
      return null;
    }
    double value = Double.parseDouble(scalar.text());
    return value >= min && value <= max ? value : null;
  }

  /** True or false, as a Boolean. */
  static Type flag() {
    return new Parsed(
        "true or false",
        scalar ->
            scalar.kind() != Kind.FLAG
                ? null
                : switch (scalar.text().toLowerCase(Locale.ROOT)) {
                  case "true", "yes", "on" -> true;
                  case "false", "no", "off" -> false;
                  default -> null;
                });
  }

  /** A text that is not empty, as a String. */
  static Type text(String expected) {
    return new Parsed(
        expected,
        scalar -> scalar.kind() == Kind.NOTHING || scalar.text().isBlank() ? null : scalar.text());
  }

  /** A number of bytes such as 16GiB, as a Long. */
  static Type bytes() {
    return new Type() {
      @Override
      public Object read(Node node, String path) {
        return quantity(this, node, path, Quantities::bytes);
      }

      @Override
      public String expected() {
        return "a size such as 64MiB or 16GiB";
      }

      @Override
      public Object plain(Object value) {
        return Quantities.format((Long) value);
      }
    };
  }

  /** A duration such as 20ms, as a Duration. */
  static Type duration() {
    return new Type() {
      @Override
      public Object read(Node node, String path) {
        return quantity(this, node, path, Quantities::duration);
      }

      @Override
      public String expected() {
        return "a duration such as 20ms, 1.5s or 2min";
      }

      @Override
      public Object plain(Object value) {
        return Quantities.format((Duration) value);
      }
    };
  }

  private static Object quantity(
      Type type, Node node, String path, Function<String, Object> parse) {
    if (node instanceof Node.Scalar scalar && scalar.kind() != Kind.NOTHING) {
      try {
        return parse.apply(scalar.text());
      } catch (IllegalArgumentException _) {
        throw type.mismatch(node, path);
      }
    }
    throw type.mismatch(node, path);
  }

  /** One of the given constants by its label, in any case. */
  static <E extends Enum<E>> Type choice(Function<E, String> label, List<E> constants) {
    List<String> labels = constants.stream().map(label).toList();
    return new Type() {
      @Override
      public Object read(Node node, String path) {
        String word = node instanceof Node.Scalar scalar ? scalar.text() : "";
        for (E constant : constants) {
          if (label.apply(constant).equalsIgnoreCase(word)) {
            return constant;
          }
        }
        String nearest = Nearest.of(word, labels);
        throw new RecipeProblem(
            node.position(),
            path,
            "expected "
                + expected()
                + ", found "
                + node.description()
                + (nearest == null ? "" : ". Did you mean '" + nearest + "'?"));
      }

      @Override
      public String expected() {
        return labels.size() == 1 ? labels.getFirst() : "one of " + String.join(", ", labels);
      }

      @Override
      public Object plain(Object value) {
        return constants.stream().filter(value::equals).map(label).findFirst().orElseThrow();
      }
    };
  }

  /** One of an enum's constants by its name in small letters. */
  static <E extends Enum<E>> Type choice(Class<E> type) {
    return choice(
        constant -> constant.name().toLowerCase(Locale.ROOT), List.copyOf(EnumSet.allOf(type)));
  }

  /** A list of values of one type. */
  static Type list(Type element, int min, int max) {
    return new ListType(element, min, max, false);
  }

  /** One value, or a list of them; a List in both cases. */
  static Type oneOrList(Type element, int min, int max) {
    return new ListType(element, min, max, true);
  }

  private record ListType(Type element, int min, int max, boolean isSingleAllowed) implements Type {
    @Override
    public Object read(Node node, String path) {
      if (isSingleAllowed && node instanceof Node.Scalar) {
        return List.of(element.read(node, path));
      }
      if (!(node instanceof Node.Sequence sequence)
          || sequence.items().size() < min
          || sequence.items().size() > max) {
        throw mismatch(node, path);
      }
      List<Object> values = new ArrayList<>();
      for (Node item : sequence.items()) {
        values.add(element.read(item, path + "[" + values.size() + "]"));
      }
      return List.copyOf(values);
    }

    @Override
    public String expected() {
      String single = isSingleAllowed ? element.expected() + ", or " : "";
      String count =
          min == max
              ? min + " such"
              : max == Integer.MAX_VALUE ? "such" : min + " to " + max + " such";
      return isSingleAllowed
          ? single + "a list of " + count
          : "a list of " + (min == max ? min + ", each " : "") + element.expected();
    }

    @Override
    public Object plain(Object value) {
      List<?> values = (List<?>) value;
      Stream<Object> plain = values.stream().map(element::plain);
      return isSingleAllowed && values.size() == 1
          ? plain.findFirst().orElseThrow()
          : plain.toList();
    }
  }
}
