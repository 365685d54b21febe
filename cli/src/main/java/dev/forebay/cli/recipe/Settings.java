package dev.forebay.cli.recipe;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The checked values of a map, with defaults filled in; asked for by name. Immutable. */
final class Settings {
  private final Node node;
  private final String path;
  private final Map<String, @Nullable Object> values;
  private final Map<String, Type> types;

  private Settings(
      Node node, String path, Map<String, @Nullable Object> values, Map<String, Type> types) {
    this.node = node;
    this.path = path;
    this.values = values;
    this.types = types;
  }

  /** Reads a map; nothing is an empty map. */
  static Settings read(Node node, String path, List<Key> keys) {
    Map<String, Node.Entry> entries = new LinkedHashMap<>();
    if (node instanceof Node.Mapping mapping) {
      mapping.entries().forEach(entry -> entries.put(entry.key(), entry));
    } else if (!(node instanceof Node.Scalar scalar && scalar.kind() == Node.Scalar.Kind.NOTHING)) {
      throw new RecipeProblem(
          node.position(),
          path,
          "expected a map with keys of " + names(keys) + ", found " + node.description());
    }
    for (Node.Entry entry : entries.values()) {
      checkKnown(entry, path, keys);
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    Map<String, Type> types = new LinkedHashMap<>();
    for (Key key : keys) {
      Node.Entry entry = entries.get(key.name());
      if (entry == null && key.isRequired()) {
        throw new RecipeProblem(
            node.position(), path, "'" + key.name() + "' is missing: " + key.type().expected());
      }
      String inside = YamlReader.join(path, key.name());
      values.put(
          key.name(), entry == null ? key.fallback() : key.type().read(entry.value(), inside));
      types.put(key.name(), key.type());
    }
    return new Settings(node, path, values, types);
  }

  private static void checkKnown(Node.Entry entry, String path, List<Key> keys) {
    List<String> known = keys.stream().map(Key::name).sorted().toList();
    if (!known.contains(entry.key())) {
      throw new RecipeProblem(entry.position(), path, unknown("key", entry.key(), known));
    }
  }

  /** Says that a name is none of the known, and which was probably meant. */
  static String unknown(String what, String name, List<String> known) {
    String nearest = Nearest.of(name, known);
    String question = nearest == null ? "" : " Did you mean '" + nearest + "'?";
    return "there is no %s '%s'.%s Possible: %s"
        .formatted(what, name, question, known.isEmpty() ? "none" : String.join(", ", known));
  }

  private static String names(List<Key> keys) {
    return keys.stream().map(Key::name).sorted().collect(Collectors.joining(", "));
  }

  /** Where the map begins. */
  Position position() {
    return node.position();
  }

  /** Where the map is in the tree. */
  String path() {
    return path;
  }

  /** A problem of the map as a whole, or of one of its values. */
  RecipeProblem problem(String name, String problem) {
    Position at = node.position();
    if (node instanceof Node.Mapping mapping) {
      for (Node.Entry entry : mapping.entries()) {
        at = entry.key().equals(name) ? entry.value().position() : at;
      }
    }
    return new RecipeProblem(at, name.isEmpty() ? path : YamlReader.join(path, name), problem);
  }

  /** True if there is a value, its own or by default. */
  boolean has(String name) {
    return values.get(name) != null;
  }

  <T> T value(String name, Class<T> type) {
    return type.cast(Objects.requireNonNull(values.get(name), name));
  }

  private List<?> list(String name) {
    return value(name, List.class);
  }

  int integer(String name) {
    return Math.toIntExact(whole(name));
  }

  long whole(String name) {
    return value(name, Long.class);
  }

  double real(String name) {
    return value(name, Double.class);
  }

  boolean flag(String name) {
    return value(name, Boolean.class);
  }

  String text(String name) {
    return value(name, String.class);
  }

  Duration duration(String name) {
    return value(name, Duration.class);
  }

  <E extends Enum<E>> E choice(String name, Class<E> type) {
    return value(name, type);
  }

  Settings section(String name) {
    return value(name, Settings.class);
  }

  Variant variant(String name) {
    return value(name, Variant.class);
  }

  List<Variant> variants(String name) {
    return list(name).stream().map(Variant.class::cast).toList();
  }

  List<Double> reals(String name) {
    return list(name).stream().map(Double.class::cast).toList();
  }

  List<Long> wholes(String name) {
    return list(name).stream().map(Long.class::cast).toList();
  }

  boolean isEmptyList(String name) {
    return list(name).isEmpty();
  }

  List<String> texts(String name) {
    return list(name).stream().map(String.class::cast).toList();
  }

  /** The values as plain maps, lists, numbers and texts; those that are left out are missing. */
  Map<String, Object> plain() {
    Map<String, Object> plain = new LinkedHashMap<>();
    values.forEach(
        (name, value) -> {
          if (value != null) {
            Type type = Objects.requireNonNull(types.get(name), name);
            plain.put(name, type.plain(value));
          }
        });
    return plain;
  }
}
