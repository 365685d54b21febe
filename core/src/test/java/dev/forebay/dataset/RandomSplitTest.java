package dev.forebay.dataset;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.sampler.PythonScript;
import dev.forebay.testing.Gen;
import dev.forebay.testing.Property;
import dev.forebay.testing.Seeds;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RandomSplitTest {
  private static final int RANDOM_CASES = 300;

  private static List<Long> numbers(List<Dataset> parts) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (Dataset part : parts) {
      numbers.addAll(Loaded.numbers(part));
    }
    return numbers;
  }

  @Test
  void byCounts_anyCounts_partitionsTheDataset() {
    Property.check(
        Gen.lists(Gen.ints(0, 40), 8),
        list -> {
          long[] counts = list.stream().mapToLong(Integer::longValue).toArray();
          long size = LongStream.of(counts).sum();
          List<Dataset> parts =
              RandomSplit.byCounts(Loaded.numbersFrom(0, size), size * 31, counts);
          assertEquals(
              LongStream.of(counts).boxed().toList(), parts.stream().map(Dataset::size).toList());
          List<Long> sorted = numbers(parts).stream().sorted().toList();
          assertEquals(LongStream.range(0, size).boxed().toList(), sorted);
        });
  }

  @Test
  void byCounts_sameSeed_givesTheSameParts() throws IOException {
    Dataset dataset = Loaded.numbersFrom(0, 100);
    List<Dataset> once = RandomSplit.byCounts(dataset, 5, 60, 40);
    List<Dataset> again = RandomSplit.byCounts(dataset, 5, 60, 40);
    assertEquals(numbers(once), numbers(again));
    assertEquals(once.getLast().fingerprint(), again.getLast().fingerprint());
    List<Dataset> other = RandomSplit.byCounts(dataset, 6, 60, 40);
    assertNotEquals(numbers(once), numbers(other));
    assertNotEquals(once.getLast().fingerprint(), other.getLast().fingerprint());
    assertNotEquals(once.getFirst().fingerprint(), once.getLast().fingerprint());
    assertNotEquals(LongStream.range(0, 100).boxed().toList(), numbers(once));
  }

  @Test
  void byCounts_ofASubset_refersToTheDatasetBelow() throws IOException {
    Dataset evens =
        SubsetDataset.of(
            Loaded.numbersFrom(0, 40), LongStream.range(0, 20).map(i -> 2 * i).toArray());
    List<Dataset> parts = RandomSplit.byCounts(evens, 1, 7, 13);
    List<Long> sorted = numbers(parts).stream().sorted().toList();
    assertEquals(LongStream.range(0, 20).map(i -> 2 * i).boxed().toList(), sorted);
    List<Dataset> halves = RandomSplit.byCounts(parts.getLast(), 2, 6, 7);
    assertEquals(
        Loaded.numbers(parts.getLast()).stream().sorted().toList(),
        numbers(halves).stream().sorted().toList());
    List<Dataset> whole = RandomSplit.byCounts(Loaded.numbersFrom(0, 20), 1, 7, 13);
    assertEquals(numbers(whole).stream().map(number -> 2 * number).toList(), numbers(parts));
  }

  @Test
  void byCounts_hugeDataset_takesNoMemory() throws IOException {
    long size = 1L << 48;
    List<Dataset> parts = RandomSplit.byFractions(Loaded.numbersFrom(0, size), 3, 0.5, 0.5);
    assertEquals(size / 2, parts.getLast().size());
    assertTrue(Loaded.sample(parts.getLast(), size / 2 - 1).getFirst().startsWith("int64[]: "));
  }

  @Test
  void byCounts_wrongSum_isRefusedWithTheNumbers() {
    Dataset dataset = Loaded.numbersFrom(0, 10);
    assertMentions(
        assertThrows(IllegalArgumentException.class, () -> RandomSplit.byCounts(dataset, 0, 4, 5)),
        "[4, 5]",
        "sum 9",
        "10 samples");
    assertThrows(IllegalArgumentException.class, () -> RandomSplit.byCounts(dataset, 0, 11, -1));
    assertThrows(IllegalArgumentException.class, () -> RandomSplit.byCounts(dataset, 0));
  }

  @Test
  void byFractions_impossibleFractions_areRefused() {
    Dataset dataset = Loaded.numbersFrom(0, 10);
    for (double[] bad :
        List.of(
            new double[] {0.5, 0.4},
            new double[] {0.5, 0.6},
            new double[] {1.5, -0.5},
            new double[] {Double.NaN, 1},
            new double[] {})) {
      assertThrows(
          IllegalArgumentException.class,
          () -> RandomSplit.byFractions(dataset, 0, bad),
          () -> Arrays.toString(bad));
    }
  }

  @Tag("python")
  @Test
  void counts_manyCases_equalTorchRandomSplit(@TempDir Path folder)
      throws IOException, InterruptedException {
    List<double[]> cases = fractionCases();
    List<Integer> sizes = new ArrayList<>();
    SplittableRandom random = Seeds.random("sizes");
    StringBuilder text = new StringBuilder();
    for (double[] fractions : cases) {
      int size = random.nextInt(200);
      sizes.add(size);
      text.append(size).append(' ').append(joined(fractions)).append('\n');
    }
    Path file = Files.writeString(folder.resolve("cases"), text);
    List<String> lines = PythonScript.run("torch_random_split.py", file.toString());
    assertEquals(cases.size(), lines.size());
    for (int index = 0; index < lines.size(); index++) {
      String message = sizes.get(index) + " " + joined(cases.get(index));
      assertEquals(lines.get(index), ours(sizes.get(index), cases.get(index)), message);
    }
    assertTrue(lines.contains("ERROR") && lines.stream().anyMatch(line -> line.contains(",")));
  }

  /** Sums of 1, and those that miss it by rounding, by nearly 1e-9 and by a little more. */
  private static List<double[]> fractionCases() {
    List<double[]> cases = new ArrayList<>();
    cases.add(new double[] {0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1});
    cases.add(new double[] {1.0});
    cases.add(new double[] {0.0, 1.0});
    cases.add(new double[] {0.5, 0.5 - 0.9e-9});
    cases.add(new double[] {0.5, 0.5 - 1.1e-9});
    cases.add(new double[] {0.5, 0.5 + 1e-12});
    SplittableRandom random = Seeds.random("fractions");
    for (int index = 0; index < RANDOM_CASES; index++) {
      double[] fractions = new double[random.nextInt(1, 8)];
      double left = 1;
      for (int part = 0; part + 1 < fractions.length; part++) {
        fractions[part] = Math.round(left * random.nextDouble() * 1000) / 1000.0;
        left -= fractions[part];
      }
      fractions[fractions.length - 1] = Math.max(left, 0);
      cases.add(fractions);
    }
    return cases;
  }

  private static String ours(int size, double[] fractions) {
    try {
      return Arrays.stream(RandomSplit.counts(size, fractions))
          .mapToObj(String::valueOf)
          .collect(Collectors.joining(","));
    } catch (IllegalArgumentException refused) {
      return "ERROR";
    }
  }

  /** Plain decimals, which Python reads as the same numbers. */
  private static String joined(double[] numbers) {
    return Arrays.stream(numbers)
        .mapToObj(
            number -> new BigDecimal(number).setScale(60, RoundingMode.HALF_EVEN).toPlainString())
        .collect(Collectors.joining(","));
  }
}
