package dev.forebay.cli.recipe;

import java.util.List;

/** A value of a YAML file that knows its place. Immutable. */
sealed interface Node {
  /** Where it begins. */
  Position position();

  /** What it is, for messages. */
  String description();

  /** A single value. */
  record Scalar(Position position, Kind kind, String text) implements Node {
    private static final int SHOWN_CHARS_MAX = 60;

    /** What the value looks like. */
    enum Kind {
      TEXT,
      NUMBER,
      FLAG,
      NOTHING
    }

    @Override
    public String description() {
      return switch (kind) {
        case TEXT -> text.isEmpty() ? "an empty text" : "the text '" + shown() + "'";
        case NUMBER, FLAG -> shown();
        case NOTHING -> "nothing";
      };
    }

    private String shown() {
      String line = text.replaceAll("\\s+", " ");
      return line.length() > SHOWN_CHARS_MAX ? line.substring(0, SHOWN_CHARS_MAX) + "..." : line;
    }
  }

  /** Values in order. */
  record Sequence(Position position, List<Node> items) implements Node {
    public Sequence {
      items = List.copyOf(items);
    }

    @Override
    public String description() {
      return items.size() == 1 ? "a list of one" : "a list of " + items.size();
    }
  }

  /** Values by name; no name comes twice. */
  record Mapping(Position position, List<Entry> entries) implements Node {
    public Mapping {
      entries = List.copyOf(entries);
    }

    @Override
    public String description() {
      return entries.isEmpty() ? "an empty map" : "a map with '" + entries.getFirst().key() + "'";
    }
  }

  /** A name and its value. */
  record Entry(Position position, String key, Node value) {}
}
