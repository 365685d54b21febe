package dev.forebay.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectCommandTest {
  @TempDir private Path folder;

  private JsonNode json(String... args) throws IOException {
    return new ObjectMapper().readTree(Ran.command(args).out());
  }

  @Test
  void folder_report_hasClassesAndSizes() throws IOException {
    TestImages.folder(folder, 3, 5);
    Ran ran = Ran.command("inspect", folder.toString());
    assertEquals(ExitCode.OK, ran.exitCode(), ran::err);
    assertTrue(ran.out().contains("samples     8\n"), ran::out);
    JsonNode report = json("inspect", folder.toString(), "--json");
    assertEquals("a", report.get("classes").get(0).get("name").asText());
    assertEquals(5, report.get("classes").get(1).get("samples").asInt());
    assertEquals(Files.size(smallest()), report.get("sizes").get("min").asLong());
    long bytes = 0;
    for (Path file : files()) {
      bytes += Files.size(file);
    }
    assertEquals(bytes, report.get("bytes").asLong());
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private Path smallest() throws IOException {
    Path smallest = files().getFirst();
    for (Path file : files()) {
      smallest = Files.size(file) < Files.size(smallest) ? file : smallest;
    }
    return smallest;
  }

  @Test
  void brokenImages_verify_listsEachWithItsReason() throws IOException {
    TestImages.folder(folder, 70, 70);
    byte[] whole = Files.readAllBytes(folder.resolve("a/003.png"));
    Files.write(folder.resolve("a/003.png"), Arrays.copyOf(whole, whole.length / 2));
    Files.writeString(folder.resolve("b/001.png"), "text");
    assertEquals(ExitCode.OK, Ran.command("inspect", folder.toString()).exitCode());
    Ran ran = Ran.command("inspect", folder.toString(), "--verify");
    assertEquals(ExitCode.FAILURE, ran.exitCode(), ran::err);
    assertTrue(ran.out().contains("a/003.png: "), ran::out);
    assertTrue(ran.out().contains("b/001.png: "), ran::out);
    JsonNode report = json("inspect", folder.toString(), "--verify", "--json");
    assertEquals(2, report.get("broken_count").asInt(), report::toString);
    assertEquals(0, report.get("unreadable_count").asInt(), report::toString);
  }

  @Test
  void emptyFileAndDanglingLink_withoutVerify_areListed() throws IOException {
    TestImages.folder(folder, 2, 2);
    Files.createFile(folder.resolve("a/empty.png"));
    Files.createSymbolicLink(folder.resolve("b/gone.png"), Path.of("nowhere.png"));
    Ran ran = Ran.command("inspect", folder.toString());
    assertEquals(ExitCode.FAILURE, ran.exitCode(), ran::err);
    assertTrue(ran.out().contains("a/empty.png: empty"), ran::out);
    JsonNode report = json("inspect", folder.toString(), "--json");
    assertTrue(report.get("unreadable_count").asInt() >= 1, report::toString);
  }

  @Test
  void recipe_generated_isVerified() throws IOException {
    Path recipe = folder.resolve("r.yaml");
    Files.writeString(recipe, "dataset: {generated: {size: 100, shape: [2, 3], dtype: float32}}");
    JsonNode report = json("inspect", recipe.toString(), "--verify", "--json");
    assertEquals(100, report.get("samples").asInt());
    assertEquals("data float32[2, 3]", report.get("fields").get(0).asText());
    assertEquals(0, report.get("broken_count").asInt());
  }

  @Test
  void missingPath_exitCode_isTwo() {
    Ran ran = Ran.command("inspect", folder.resolve("nothing").toString());
    assertEquals(ExitCode.USAGE, ran.exitCode());
    assertTrue(ran.err().contains("does not exist"), ran::err);
  }
}
