package dev.forebay.cli.recipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.error.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds docs/recipes.md, docs/transforms.md and docs/images.md to what recipes can say. */
class RecipeDocumentationTest {
  private static String document(String name) throws IOException {
    return Files.readString(Path.of("..", "docs", name));
  }

  private static void assertNamed(String text, List<Key> keys) {
    for (Key key : keys) {
      assertTrue(text.contains("`" + key.name()), key.name());
    }
  }

  @Test
  void recipes_everyKey_isDocumented() throws IOException {
    String text = document("recipes.md");
    assertNamed(text, RecipeKeys.ROOT);
    assertNamed(text, RecipeKeys.ORDER);
    assertNamed(text, RecipeKeys.BATCH);
    assertNamed(text, RecipeKeys.LOADER);
    DatasetTable.keys()
        .forEach(
            (name, keys) -> {
              assertTrue(text.contains("`" + name + "`"), name);
              assertNamed(text, keys);
            });
  }

  @Test
  void transforms_everyKey_isDocumented() throws IOException {
    List<String> lines = new ArrayList<>(document("transforms.md").lines().toList());
    String decoding = document("images.md");
    for (Map.Entry<String, List<Key>> entry : Entry.keys(RecipeKeys.TRANSFORMS).entrySet()) {
      String name = entry.getKey();
      String text =
          name.equals("decode_image")
              ? decoding
              : String.join("\n", lines.stream().filter(s -> s.contains("`" + name)).toList());
      List<Key> keys = new ArrayList<>(entry.getValue());
      keys.removeIf(key -> key.name().equals("field"));
      assertNamed(text, keys);
    }
  }

  /** Each example is a recipe, or a part of one. */
  @Test
  void recipes_examples_areRead() throws IOException {
    Matcher example =
        Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(document("recipes.md"));
    int count = 0;
    while (example.find()) {
      String text = example.group(1);
      String whole = text.startsWith("dataset") ? text : "dataset: {generated: {size: 4}}\n" + text;
      try {
        Recipe.parse(whole, "recipes.md", Path.of("/"));
      } catch (ConfigurationException e) {
        throw new AssertionError(e.getMessage() + "\n" + whole, e);
      }
      count++;
    }
    assertEquals(3, count);
  }
}
