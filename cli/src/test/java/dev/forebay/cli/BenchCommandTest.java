package dev.forebay.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.forebay.sampler.CoverageCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchCommandTest {
  private static final int SAMPLES = 23;
  private static final int BATCH = 4;

  @TempDir private static Path folder;
  private static Path recipe = Path.of("");

  @BeforeAll
  static void images() throws IOException {
    TestImages.folder(folder.resolve("images"), 12, 11);
    recipe =
        Files.writeString(
            folder.resolve("train.yaml"),
            """
            dataset: { image_folder: { root: images, save_index: false } }
            order: { shuffle: true, seed: 5 }
            transforms:
              - decode_image
              - random_resized_crop: { size: 16 }
              - random_horizontal_flip
              - normalize: { mean: 0.5, std: 0.5 }
            batch: { size: 4 }
            loader: { workers: 2, prefetch_factor: 3 }
            """);
  }

  private static JsonNode bench(String... more) {
    return json(run(more));
  }

  private static Ran run(String... more) {
    List<String> args = new ArrayList<>(List.of("bench", recipe.toString(), "--json"));
    args.addAll(List.of(more));
    return Ran.command(args.toArray(new String[0]));
  }

  private static JsonNode json(Ran ran) {
    assertEquals(ExitCode.OK, ran.exitCode(), ran::err);
    try {
      return new ObjectMapper().readTree(ran.out());
    } catch (IOException e) {
      throw new AssertionError(ran.out(), e);
    }
  }

  private static List<String> digests(JsonNode report) {
    List<String> digests = new ArrayList<>();
    report.get("epoch_digests").forEach(digest -> digests.add(digest.asText()));
    return digests;
  }

  @Test
  void digests_workersAndBatchSize_doNotMatter() {
    List<String> expected = digests(bench("--digest", "--epochs", "2", "--workers", "0"));
    assertEquals(2, expected.size());
    assertNotEquals(expected.getFirst(), expected.getLast());
    for (String workers : List.of("1", "2", "7", "auto")) {
      assertEquals(
          expected, digests(bench("--digest", "--epochs", "2", "--workers", workers)), workers);
    }
    assertEquals(expected, digests(bench("--digest", "--epochs", "2", "--batch", "5")));
  }

  @Test
  void digests_prefetchDepth_doesNotMatter(@TempDir Path other) throws IOException {
    List<String> expected = digests(bench("--digest", "--epochs", "2"));
    for (int depth : new int[] {1, 2, 9}) {
      String text =
          Files.readString(recipe).replace("prefetch_factor: 3", "prefetch_factor: " + depth);
      Path file = other.resolve("r.yaml");
      Files.writeString(file, text.replace("root: images", "root: " + folder.resolve("images")));
      Ran ran = Ran.command("bench", file.toString(), "--json", "--digest", "--epochs", "2");
      assertEquals(expected, digests(json(ran)), "depth " + depth);
    }
  }

  @Test
  void digests_seedOrOrder_doMatter() {
    List<String> expected = digests(bench("--digest"));
    assertNotEquals(expected, digests(bench("--digest", "--seed", "6")));
    assertNotEquals(expected, digests(bench("--digest", "--no-shuffle")));
  }

  @Test
  void resume_afterEveryBatch_digestsAndCoverageAreThoseOfOneRun() {
    List<String> expected = digests(bench("--digest", "--epochs", "2"));
    Path state = folder.resolve("state");
    int batches = 2 * (SAMPLES + BATCH - 1) / BATCH;
    for (int stop = 1; stop <= batches; stop++) {
      String[] first = {
        "--digest", "--epochs", "2", "--stop-after", "" + stop, "--state-out", state.toString()
      };
      List<String> digests = new ArrayList<>(digests(bench(first)));
      JsonNode rest = bench("--digest", "--epochs", "2", "--resume", state.toString());
      List<String> later = digests(rest);
      int whole = 2 - later.size();
      digests = new ArrayList<>(digests.subList(0, whole));
      digests.addAll(later);
      assertEquals(expected, digests, "stopped after batch " + stop);
      for (JsonNode epoch : rest.get("coverage")) {
        assertTrue(epoch.get("exact").asBoolean(), epoch::toString);
        assertTrue(epoch.get("whole_epoch").asBoolean(), epoch::toString);
      }
    }
  }

  @Test
  void world_unionOverRanks_isEachSampleOnce() {
    CoverageCertificate expected = CoverageCertificate.expected(SAMPLES);
    for (int world : new int[] {1, 3, 8}) {
      CoverageCertificate sum = CoverageCertificate.EMPTY;
      for (int rank = 0; rank < world; rank++) {
        JsonNode report = bench("--world", "" + world, "--rank", "" + rank);
        String text = report.get("coverage").get(0).get("certificate").asText();
        sum = sum.plus(CoverageCertificate.parse(text));
      }
      assertTrue(sum.coversExactly(expected), world + ": " + sum);
    }
  }

  @Test
  void world_resumedWithAnother_unionIsEachSampleOnce() {
    Path state = folder.resolve("world-state");
    CoverageCertificate sum = CoverageCertificate.EMPTY;
    for (int rank = 0; rank < 3; rank++) {
      String[] first = {
        "--world", "3", "--rank", "" + rank, "--stop-after", "1", "--state-out", state.toString()
      };
      sum = sum.plus(certificate(bench(first)));
    }
    for (int rank = 0; rank < 2; rank++) {
      JsonNode rest = bench("--world", "2", "--rank", "" + rank, "--resume", state.toString());
      assertFalse(rest.get("coverage").get(0).get("whole_epoch").asBoolean());
      sum = sum.plus(certificate(rest));
    }
    assertTrue(sum.coversExactly(CoverageCertificate.expected(SAMPLES)), sum::toString);
  }

  private static CoverageCertificate certificate(JsonNode report) {
    return CoverageCertificate.parse(report.get("coverage").get(0).get("certificate").asText());
  }

  @Test
  void json_numbers_addUp() {
    JsonNode report = bench("--epochs", "3", "--simulate-step", "2ms");
    assertEquals(3 * SAMPLES, report.get("samples").asInt());
    assertEquals(18, report.get("batches").asInt());
    assertTrue(report.get("seconds").asDouble() >= 18 * 0.002, report::toString);
    assertTrue(report.get("step_s").asDouble() >= 18 * 0.002, report::toString);
    assertTrue(report.get("first_batch_s").asDouble() > 0, report::toString);
    double sum = 0;
    for (JsonNode stall : report.get("stalls")) {
      sum += stall.asDouble();
    }
    double stalled = report.get("stall_fraction").asDouble() * report.get("seconds").asDouble();
    assertEquals(stalled, sum, 1e-6);
    assertTrue(report.get("heap_bytes_per_sample").isNumber(), report::toString);
    assertTrue(report.get("epoch_digests").isEmpty(), report::toString);
  }

  @Test
  void folder_withoutRecipe_getsTheTrainingTransforms() {
    Ran ran = Ran.command("bench", folder.resolve("images").toString(), "--batch", "8");
    assertEquals(ExitCode.OK, ran.exitCode(), ran::err);
    assertTrue(ran.out().contains("23 in 3 batches"), ran::out);
    assertTrue(ran.out().contains("saw 23 of 23 samples, each exactly once"), ran::out);
  }

  @Test
  void brokenImage_policies_failOrSkipOrSubstitute(@TempDir Path other) throws IOException {
    TestImages.folder(other.resolve("images"), 3, 3);
    Files.writeString(other.resolve("images/a/broken.png"), "no image");
    String text =
        """
        dataset: {image_folder: {root: images, save_index: false}}
        transforms: [decode_image, center_crop: {size: 8}]
        """;
    Path file = other.resolve("r.yaml");
    Files.writeString(file, text);
    Ran failed = Ran.command("bench", file.toString());
    assertEquals(ExitCode.FAILURE, failed.exitCode());
    assertTrue(failed.err().contains("broken.png"), failed::err);
    assertFalse(failed.err().contains("\tat "), failed::err);
    assertTrue(Ran.command("bench", "-v", file.toString()).err().contains("\tat "));
    Files.writeString(file, text + "loader: {on_error: {skip: {budget: 1}}}");
    assertEquals(1, json(Ran.command("bench", file.toString(), "--json")).get("skipped").asInt());
    Files.writeString(file, text + "loader: {on_error: {substitute: {budget: 20%}}}");
    JsonNode report = json(Ran.command("bench", file.toString(), "--json"));
    assertEquals(1, report.get("substituted").asInt());
    assertEquals(7, report.get("samples").asInt());
  }

  @Test
  void wrongUsage_exitCode_isTwo() throws IOException {
    assertUsage("--workers=some must be auto, or 0 to 1024", "--workers", "some");
    assertUsage("--rank=1 must be 0 to 0", "--rank", "1");
    assertUsage("--epochs=0", "--epochs", "0");
    assertUsage("'soon' is not a duration", "--simulate-step", "soon");
    assertUsage("--batch", "--batch", "many");
    Path state = folder.resolve("no-state");
    Files.writeString(state, "something else\n");
    assertUsage("not a state", "--resume", state.toString());
    Ran missing = Ran.command("bench", folder.resolve("nothing").toString());
    assertEquals(ExitCode.USAGE, missing.exitCode());
    assertTrue(missing.err().contains("nothing does not exist"), missing::err);
  }

  private static void assertUsage(String message, String... more) {
    Ran ran = run(more);
    assertEquals(ExitCode.USAGE, ran.exitCode(), ran::err);
    assertEquals("", ran.out());
    assertTrue(ran.err().contains(message), ran::err);
  }

  @Test
  void state_ofAnotherDataset_isRefused(@TempDir Path other) throws IOException {
    Path state = other.resolve("state");
    bench("--stop-after", "1", "--state-out", state.toString());
    Path generated = other.resolve("g.yaml");
    Files.writeString(generated, "dataset: {generated: {size: 5}}");
    Ran ran = Ran.command("bench", generated.toString(), "--resume", state.toString());
    assertEquals(ExitCode.USAGE, ran.exitCode());
    assertTrue(ran.err().contains("another dataset"), ran::err);
  }
}
