package dev.forebay.cli.recipe;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.forebay.cli.recipe.Node.Scalar.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns YAML into {@link Node}s. One document; no anchors, aliases or tags. Used once. */
final class YamlReader implements AutoCloseable {
  private static final int DEPTH_MAX = 50;

  private final YAMLParser parser;

  private YamlReader(String text) throws IOException {
    parser = new YAMLFactory().createParser(text);
  }

  /** Reads a whole text; throws {@link RecipeProblem}. */
  static Node read(String text) {
    try (YamlReader reader = new YamlReader(text)) {
      return reader.document();
    } catch (JsonProcessingException e) {
      JsonLocation location = e.getLocation();
      throw new RecipeProblem(position(location), "", "this is no YAML: " + problem(e));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read a text in memory", e);
    }
  }

  private static Position position(@Nullable JsonLocation location) {
    return location == null
        ? new Position(1, 1)
        : new Position(Math.max(1, location.getLineNr()), Math.max(1, location.getColumnNr()));
  }

  /** What the parser says, without the excerpts that it adds. */
  private static String problem(JsonProcessingException e) {
    String message = e.getOriginalMessage() == null ? "unreadable" : e.getOriginalMessage();
    return message
        .lines()
        .filter(line -> !line.startsWith(" ") && !line.isBlank())
        .collect(Collectors.joining(", "));
  }

  private Node document() throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      throw new RecipeProblem(new Position(1, 1), "", "the file is empty");
    }
    Node root = node(first, "", 0);
    if (parser.nextToken() != null) {
      throw new RecipeProblem(
          here(), "", "a second document begins here; a recipe is one document");
    }
    return root;
  }

  private Position here() {
    return position(parser.currentTokenLocation());
  }

  private Node node(JsonToken token, String path, int depth) throws IOException {
    Position at = here();
    if (depth > DEPTH_MAX) {
      throw new RecipeProblem(at, path, "nested more than " + DEPTH_MAX + " deep");
    }
    if (parser.isCurrentAlias()) {
      throw new RecipeProblem(at, path, "aliases are not supported; write the value out again");
    }
    return switch (token) {
      case START_OBJECT -> mapping(at, path, depth);
      case START_ARRAY -> sequence(at, path, depth);
      case VALUE_STRING -> scalar(at, Kind.TEXT);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(at, Kind.NUMBER);
      case VALUE_TRUE, VALUE_FALSE -> scalar(at, Kind.FLAG);
      case VALUE_NULL -> scalar(at, Kind.NOTHING);
      default -> throw new RecipeProblem(at, path, "tags are not supported here");
    };
  }

  private Node scalar(Position at, Kind kind) throws IOException {
    return new Node.Scalar(at, kind, parser.getText());
  }

  private Node sequence(Position at, String path, int depth) throws IOException {
    List<Node> items = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      items.add(node(token, path + "[" + items.size() + "]", depth + 1));
    }
    return new Node.Sequence(at, items);
  }

  private Node mapping(Position at, String path, int depth) throws IOException {
    List<Node.Entry> entries = new ArrayList<>();
    Map<String, Position> seen = new HashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      Position keyAt = here();
      String key = parser.currentName();
      Position earlier = seen.putIfAbsent(key, keyAt);
      if (earlier != null) {
        throw new RecipeProblem(
            keyAt, join(path, key), "this key is here for the second time; first at " + earlier);
      }
      entries.add(new Node.Entry(keyAt, key, node(parser.nextToken(), join(path, key), depth + 1)));
    }
    return new Node.Mapping(at, entries);
  }

  static String join(String path, String key) {
    return path.isEmpty() ? key : path + "." + key;
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }
}
