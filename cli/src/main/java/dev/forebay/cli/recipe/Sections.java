package dev.forebay.cli.recipe;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The types of values that hold keys. */
final class Sections {
  private Sections() {}

  /** A map with the given keys, as {@link Settings}. */
  static Type of(List<Key> keys) {
    return new Type() {
      @Override
      public Object read(Node node, String path) {
        return Settings.read(node, path, keys);
      }

      @Override
      public String expected() {
        return "a map";
      }

      @Override
      public Object plain(Object value) {
        return ((Settings) value).plain();
      }
    };
  }

  /**
   * A map of exactly one key, which names one of several things and holds its settings; the name
   * alone will do where all settings have defaults. As {@link Variant}.
   *
   * @param what the things are called
   * @param variants the keys of each; supplied late, since they may hold one another
   */
  static Type oneOf(String what, Supplier<Map<String, List<Key>>> variants) {
    return new OneOf(what, variants);
  }

  private record OneOf(String what, Supplier<Map<String, List<Key>>> variants) implements Type {
    @Override
    public Object read(Node node, String path) {
      if (node instanceof Node.Scalar scalar && scalar.kind() == Node.Scalar.Kind.TEXT) {
        Node nothing = new Node.Scalar(node.position(), Node.Scalar.Kind.NOTHING, "");
        return variant(scalar.text(), node, nothing, path);
      }
      if (node instanceof Node.Mapping mapping && mapping.entries().size() == 1) {
        Node.Entry entry = mapping.entries().getFirst();
        return variant(entry.key(), entry.position(), entry.value(), path);
      }
      if (node instanceof Node.Mapping mapping && mapping.entries().size() > 1) {
        Node.Entry second = mapping.entries().get(1);
        throw new RecipeProblem(
            second.position(),
            path,
            "one %s only, but there are '%s' and '%s'; settings belong one level deeper"
                .formatted(what, mapping.entries().getFirst().key(), second.key()));
      }
      throw mismatch(node, path);
    }

    private Variant variant(String name, Node place, Node settings, String path) {
      return variant(name, place.position(), settings, path);
    }

    private Variant variant(String name, Position place, Node settings, String path) {
      List<Key> keys = variants.get().get(name);
      if (keys == null) {
        List<String> known = variants.get().keySet().stream().sorted().toList();
        throw new RecipeProblem(place, path, Settings.unknown(what, name, known));
      }
      return new Variant(name, Settings.read(settings, YamlReader.join(path, name), keys));
    }

    @Override
    public String expected() {
      return "one %s: %s"
          .formatted(what, String.join(", ", variants.get().keySet().stream().sorted().toList()));
    }

    @Override
    public Object plain(Object value) {
      Variant variant = (Variant) value;
      return Map.of(variant.name(), variant.settings().plain());
    }
  }
}
