package dev.forebay.cli.recipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.forebay.testing.Gen;
import dev.forebay.testing.Property;
import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  @Test
  void distance_knownPairs_areRight() {
    assertEquals(0, Nearest.distance("seed", "seed"));
    assertEquals(1, Nearest.distance("sede", "seed"));
    assertEquals(1, Nearest.distance("seeds", "seed"));
    assertEquals(3, Nearest.distance("kitten", "sitting"));
    assertEquals(3, Nearest.distance("ca", "abc"));
    assertEquals(4, Nearest.distance("", "seed"));
  }

  @Test
  void distance_anyTexts_isSymmetricAndBounded() {
    Property.check(
        Gen.lists(Gen.strings("abc", 8), 2, 2),
        pair -> {
          int distance = Nearest.distance(pair.get(0), pair.get(1));
          assertEquals(distance, Nearest.distance(pair.get(1), pair.get(0)));
          assertEquals(distance == 0, pair.get(0).equals(pair.get(1)));
        });
  }

  @Test
  void of_nothingSimilar_isNull() {
    List<String> names = List.of("seed", "shuffle", "drop_last");
    assertEquals("shuffle", Nearest.of("shufle", names));
    assertEquals("drop_last", Nearest.of("droplast", names));
    assertEquals("seed", Nearest.of("SEED", names));
    assertNull(Nearest.of("workers", names));
    assertNull(Nearest.of("x", names));
  }
}
