package dev.forebay.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.testing.Gen;
import dev.forebay.testing.Property;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileNameTest {
  /** Ascending as Python sorts them. */
  private static final List<String> SORTED_HEX =
      List.of(
          "",
          "2e",
          "41",
          "61",
          "6162",
          "7f",
          "c3a9",
          "e282ac",
          "ed9fbf",
          "80",
          "c0",
          "c061",
          "c3",
          "c361",
          "e282",
          "eda080",
          "f09f98",
          "ff",
          "ee8080",
          "efbfae",
          "f0908080",
          "f09f9880",
          "f48fbfbf");

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  @Test
  void compare_validAndInvalidUtf8_isPythonsOrder() {
    for (int left = 0; left < SORTED_HEX.size(); left++) {
      for (int right = 0; right < SORTED_HEX.size(); right++) {
        String message = SORTED_HEX.get(left) + " " + SORTED_HEX.get(right);
        int order = FileName.compare(bytes(SORTED_HEX.get(left)), bytes(SORTED_HEX.get(right)));
        assertEquals(Integer.compare(left, right), Integer.signum(order), message);
      }
    }
  }

  @Test
  void compare_anyTexts_isTheOrderOfCodePoints() {
    Gen<String> texts =
        Gen.lists(Gen.oneOf(0x61, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000), 6)
            .map(
                points -> {
                  StringBuilder text = new StringBuilder();
                  points.forEach(text::appendCodePoint);
                  return text.toString();
                });
    Property.cases(500)
        .holds(
            Gen.lists(texts, 2),
            pair -> {
              if (pair.size() == 2) {
                int[] left = pair.getFirst().codePoints().toArray();
                int[] right = pair.getLast().codePoints().toArray();
                assertEquals(
                    Integer.signum(Arrays.compare(left, right)),
                    Integer.signum(FileName.compare(utf8(pair.getFirst()), utf8(pair.getLast()))));
              }
            });
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void text_bytesThatAreNotUtf8_areEscaped() {
    assertEquals("a\\xff\\xc3é😀", FileName.text(bytes("61ffc3c3a9f09f9880")));
    assertTrue(FileName.isUtf8(utf8("süß 🐟")));
    assertFalse(FileName.isUtf8(bytes("eda080")));
    assertFalse(FileName.isUtf8(bytes("c080")));
    assertFalse(FileName.isUtf8(bytes("f4908080")));
  }

  @Test
  void endsWith_anyAsciiCase_isFound() {
    byte[] name = utf8("[a.JpG]");
    assertTrue(FileName.endsWith(name, 1, 5, utf8(".jpg")));
    assertFalse(FileName.endsWith(name, 1, 6, utf8(".jpg")));
    assertTrue(FileName.endsWith(name, 2, 4, utf8(".jpg")));
    assertFalse(FileName.endsWith(name, 3, 3, utf8(".jpg")));
  }
}
