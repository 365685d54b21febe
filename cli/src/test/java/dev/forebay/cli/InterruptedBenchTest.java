package dev.forebay.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A signal that ends the process; a terminal's Ctrl-C takes the same way as this SIGTERM. */
class InterruptedBenchTest {
  private static final int SIGTERM_EXIT = 128 + 15;

  @TempDir private Path folder;

  @Test
  @Timeout(60)
  void signal_runningBench_printsTheReportSoFarAndSavesItsPlace()
      throws IOException, InterruptedException {
    Path recipe = folder.resolve("r.yaml");
    Files.writeString(recipe, "dataset: {generated: {size: 1000000}}");
    Path state = folder.resolve("state");
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command("bench", recipe, "--json", "--simulate-step=5ms", state))
            .redirectOutput(out.toFile())
            .start();
    int first = process.getErrorStream().read(); // waits for the first sign of progress
    process.toHandle().destroy(); // which, unlike process.destroy(), leaves the streams open
    int exitCode = process.waitFor();
    String rest = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(SIGTERM_EXIT, exitCode, (char) first + rest);
    JsonNode report = new ObjectMapper().readTree(Files.readString(out));
    assertTrue(report.get("interrupted").asBoolean(), report::toString);
    int samples = report.get("samples").asInt();
    assertTrue(samples >= 1 && samples < 1_000_000, report::toString);
    assertTrue(Files.readString(state).contains(" epoch=0 position=" + samples), report::toString);
  }

  private static List<String> command(
      String name, Path recipe, String json, String step, Path state) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "-Dforebay.terminal=true",
        "-cp",
        System.getProperty("java.class.path"),
        Main.class.getName(),
        name,
        recipe.toString(),
        json,
        step,
        "--state-out",
        state.toString());
  }
}
