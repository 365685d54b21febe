package dev.forebay.djl.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.forebay.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole demo, small, as a user starts it. */
class DemoCommandTest {
  private record Ran(int exitCode, String out, String err) {
    static Ran of(String... args) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      int exitCode = Main.run(List.of(args), new PrintWriter(out), new PrintWriter(err));
      return new Ran(exitCode, out.toString(), err.toString());
    }
  }

  @Test
  void demo_small_trainsBothWaysOnTheSameBatches(@TempDir Path folder) throws IOException {
    String[] command = {
      "demo", "--samples", "240", "--epochs", "1", "--data", folder.toString(), "--json"
    };
    Ran ran = Ran.of(command);
    assertEquals(0, ran.exitCode, ran.err);
    JsonNode report = new ObjectMapper().readTree(ran.out);
    assertEquals(192, report.at("/synchronous/samples").asInt());
    assertEquals(192, report.at("/asynchronous/samples").asInt());
    assertEquals(report.at("/synchronous/loss"), report.at("/asynchronous/loss"));
    double shares =
        report.at("/synchronous/compute_fraction").asDouble()
            + report.at("/synchronous/stall_fraction").asDouble();
    assertEquals(1, shares, 1e-9);
    Ran again = Ran.of(command);
    assertTrue(again.err.contains("Using the pictures"), again.err);
  }

  @Test
  void demo_wrongOptions_areRefusedBeforeAnythingIsMade(@TempDir Path folder) throws IOException {
    assertEquals(2, Ran.of("demo", "--samples", "5").exitCode);
    assertEquals(2, Ran.of("demo", "--epochs", "0").exitCode);
    assertEquals(2, Ran.of("demo", "--workers", "many").exitCode);
    Files.writeString(folder.resolve("mine.txt"), "precious");
    Ran foreign = Ran.of("demo", "--data", folder.toString());
    assertEquals(2, foreign.exitCode);
    assertTrue(foreign.err.contains("holds something else"), foreign.err);
    assertEquals("precious", Files.readString(folder.resolve("mine.txt")));
  }

  @Test
  void demo_help_explainsTheOptions() {
    Ran ran = Ran.of("demo", "--help");
    assertEquals(0, ran.exitCode);
    assertTrue(ran.out.contains("--data"), ran.out);
  }
}
