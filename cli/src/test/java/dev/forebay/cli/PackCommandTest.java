package dev.forebay.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackCommandTest {
  @TempDir private Path folder;
  private Path source;
  private Path target;

  @BeforeEach
  void makeImages() throws IOException {
    source = folder.resolve("source");
    target = folder.resolve("target");
    for (int i = 0; i < 6; i++) {
      Path file = source.resolve(i % 2 == 0 ? "a" : "b").resolve(i + ".jpg");
      Files.createDirectories(file.getParent());
      BufferedImage image = new BufferedImage(200, 120, BufferedImage.TYPE_INT_RGB);
      for (int at = 0; at < 200 * 120; at++) {
        image.setRGB(at % 200, at / 200, at * (i + 7) * 2654435);
      }
      ImageIO.write(image, "jpeg", file.toFile());
    }
    Files.writeString(source.resolve("a/notes.txt"), "no image");
  }

  private Ran pack(String... more) {
    String[] args = {"pack", source.toString(), target.toString(), "--jpeg-restart", "1"};
    String[] all = Arrays.copyOf(args, args.length + more.length);
    System.arraycopy(more, 0, all, args.length, more.length);
    return Ran.command(all);
  }

  private static JsonNode json(Ran ran) throws IOException {
    assertEquals(ExitCode.OK, ran.exitCode(), ran::err);
    return new ObjectMapper().readTree(ran.out());
  }

  private static String digest(Path root) throws IOException {
    Ran ran = Ran.command("bench", root.toString(), "--batch", "2", "--digest", "--json");
    return json(ran).get("epoch_digests").get(0).asText();
  }

  @Test
  void pack_folder_loadsTheSameBytes() throws IOException {
    JsonNode report = json(pack("--json"));
    assertEquals(6, report.get("recoded").asInt());
    assertEquals(1, report.get("copied").asInt());
    assertEquals("no image", Files.readString(target.resolve("a/notes.txt")));
    byte[] before = Files.readAllBytes(source.resolve("a/0.jpg"));
    assertNotEquals(
        Arrays.hashCode(before), Arrays.hashCode(Files.readAllBytes(target.resolve("a/0.jpg"))));
    Files.delete(target.resolve("a/notes.txt"));
    Files.delete(source.resolve("a/notes.txt"));
    assertEquals(digest(source), digest(target));
  }

  @Test
  void pack_again_keepsWhatIsThereAndRenewsWhatChanged() throws IOException {
    json(pack("--json"));
    Path changed = source.resolve("b/1.jpg");
    Files.setLastModifiedTime(changed, FileTime.fromMillis(123_456_000));
    Files.delete(target.resolve("b/3.jpg"));
    JsonNode report = json(pack("--json"));
    assertEquals(2, report.get("recoded").asInt());
    assertEquals(5, report.get("kept").asInt());
    try (Stream<Path> files = Files.walk(target)) {
      List<Path> all = files.filter(Files::isRegularFile).toList();
      assertEquals(7, all.size(), all::toString);
    }
  }

  @Test
  void pack_damagedFile_isCopiedAndNamed() throws IOException {
    byte[] whole = Files.readAllBytes(source.resolve("a/2.jpg"));
    byte[] damaged = Arrays.copyOf(whole, whole.length / 3);
    Files.write(source.resolve("a/2.jpg"), damaged);
    Ran ran = pack();
    assertEquals(ExitCode.OK, ran.exitCode(), ran::err);
    assertTrue(ran.out().contains("1 damaged JPEG files were copied as they are"), ran::out);
    assertTrue(ran.out().contains("a/2.jpg: the JPEG file"), ran::out);
    assertArrayEquals(damaged, Files.readAllBytes(target.resolve("a/2.jpg")));
  }

  @Test
  void pack_wrongUse_isRefusedBeforeAnythingIsWritten() {
    target = source.resolve("inside");
    Ran inside = pack();
    assertEquals(ExitCode.USAGE, inside.exitCode());
    assertTrue(inside.err().contains("lies inside"), inside::err);
    assertFalse(Files.exists(target));
    source = folder.resolve("missing");
    assertTrue(pack().err().contains("missing does not exist"));
    assertTrue(
        Ran.command("pack", "a", "b", "--jpeg-restart", "0").err().contains("--jpeg-restart=0"));
    assertTrue(Ran.command("pack", "a", "b").err().contains("--jpeg-restart"));
  }
}
