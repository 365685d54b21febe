package dev.forebay.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.forebay.cli.ExitCode;
import dev.forebay.cli.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands, with real loaders in real processes, for moments only. */
class BenchCommandsTest {
  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();

  private String run(int exitCode, String... args) {
    StringWriter out = new StringWriter();
    List<String> all = new ArrayList<>(List.of("bench"));
    all.addAll(List.of(args));
    int code = Main.run(all, new PrintWriter(out), new PrintWriter(err));
    assertEquals(exitCode, code, err::toString);
    return out.toString();
  }

  private JsonNode compare(String... workloads) throws IOException {
    List<String> args = new ArrayList<>(List.of("compare"));
    args.addAll(List.of(workloads));
    args.addAll(
        List.of(
            "--rounds",
            "1",
            "--seconds",
            "0.3",
            "--warm",
            "0.1",
            "--photo-count",
            "64",
            "--file-count",
            "128",
            "--torch-workers",
            "0",
            "--data",
            folder.toString(),
            "--json"));
    return new ObjectMapper().readTree(run(ExitCode.OK, args.toArray(new String[0])));
  }

  @Test
  void compare_someWorkloads_measuresEachLoader() throws IOException {
    JsonNode results = compare("numbers", "jpeg-train", "files-cold").get("results");
    assertEquals(3, results.size());
    for (JsonNode result : results) {
      int others = 0;
      for (JsonNode contender : result.get("contenders")) {
        assertTrue(contender.get("rate").asDouble() > 0, contender::toString);
        assertTrue(contender.get("first_batch_seconds").asDouble() > 0, contender::toString);
        others += contender.get("name").asText().startsWith("Forebay") ? 0 : 1;
      }
      assertTrue(others >= 1, result::toString);
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertTrue(files.noneMatch(file -> file.toString().endsWith(".py")), "scripts are removed");
    }
  }

  @Test
  void compare_wrongUse_isRefused() {
    run(ExitCode.USAGE, "compare", "jpeg-trian");
    assertTrue(err.toString().contains("no workload 'jpeg-trian'; possible: jpeg-train"));
    run(ExitCode.USAGE, "compare", "numbers", "--rounds", "0");
    assertTrue(err.toString().contains("--rounds=0"));
  }

  @Test
  void storage_oneAccelerator_isMeasuredColdAndWarm() throws IOException {
    String text =
        run(
            ExitCode.OK,
            "mlperf-storage",
            "--model",
            "cosmoflow",
            "--accelerators",
            "1",
            "--data-size",
            "60MiB",
            "--seconds",
            "0.5",
            "--torch-workers",
            "1",
            "--data",
            folder.toString(),
            "--json");
    JsonNode report = new ObjectMapper().readTree(text);
    assertEquals("OPEN", report.get("division").asText());
    assertEquals(4, report.get("runs").size());
    for (JsonNode run : report.get("runs")) {
      double utilization = run.get("utilization").asDouble();
      assertTrue(utilization > 0 && utilization <= 1.0, run::toString);
    }
    assertTrue(err.toString().contains("no valid MLPerf Storage run"), err::toString);
  }

  @Test
  void storage_wrongUse_isRefused() {
    run(ExitCode.USAGE, "mlperf-storage", "--model", "bert");
    assertTrue(err.toString().contains("no model 'bert'"));
    run(ExitCode.USAGE, "mlperf-storage", "--model", "retinanet", "--accelerator", "h100");
    assertTrue(err.toString().contains("possible: b200"), err::toString);
    assertFalse(err.toString().contains("\tat "), err::toString);
  }
}
