package dev.forebay.djl.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The table says what the numbers say, in good cases and bad ones. */
class DemoReportTest {
  private static TrainingResult result(double compute, double stall, double loss) {
    return new TrainingResult(
        "x",
        1000,
        compute + stall,
        compute,
        stall,
        0.05,
        List.of(new TrainingResult.Epoch(loss, 0.5)));
  }

  @Test
  void verdict_loadingKeepsUp_saysSo() {
    DemoReport report = new DemoReport(1000, 1, 1, result(8, 2, 1.5), result(8, 0.1, 1.5));
    assertTrue(report.verdict().contains("1.23 times as fast"), report.verdict());
    assertTrue(report.verdict().contains("hardly ever waited"), report.verdict());
    assertTrue(report.verdict().contains("byte for byte"), report.verdict());
  }

  @Test
  void verdict_loadingIsTooSlow_saysSo() {
    DemoReport report = new DemoReport(1000, 3, 1, result(2, 8, 1.5), result(2, 8, 1.4));
    assertTrue(report.verdict().contains("gained nothing"), report.verdict());
    assertTrue(report.verdict().contains("still waited"), report.verdict());
    assertTrue(report.verdict().contains("with 3 worker(s)"), report.verdict());
    assertTrue(report.verdict().contains("losses differ"), report.verdict());
  }

  @Test
  void verdict_shortRun_blamesTheFirstBatchOnly() {
    DemoReport report = new DemoReport(300, 1, 1, result(0.5, 0.1, 1), result(0.5, 0.06, 1));
    assertTrue(report.verdict().contains("for its first batch"), report.verdict());
  }

  @Test
  void verdict_stepsSlowedByLoading_saysSo() {
    DemoReport report = new DemoReport(1000, 1, 1, result(2, 1, 1), result(3.5, 0.05, 1));
    assertTrue(report.verdict().contains("1.75 times as long"), report.verdict());
    assertTrue(report.verdict().contains("gained nothing"), report.verdict());
  }

  @Test
  void text_table_hasALineForEachFigureAndEpoch() {
    String text = new DemoReport(1000, 1, 1, result(8, 2, 1.5), result(8, 0.1, 1.5)).text();
    assertEquals(
        "time computing                    80.0 %          98.8 %", text.lines().toList().get(2));
    assertEquals(
        "epoch 0 loss, accuracy     1.500, 50.0 %   1.500, 50.0 %", text.lines().toList().get(5));
  }

  @Test
  void numbers_shares_addUp() {
    DemoReport report = new DemoReport(1000, 1, 1, result(8, 2, 1.5), result(8, 0.1, 1.5));
    assertEquals(1, result(8, 2, 1).computeShare() + result(8, 2, 1).stallShare(), 1e-9);
    assertTrue(report.numbers().containsKey("asynchronous"));
  }
}
