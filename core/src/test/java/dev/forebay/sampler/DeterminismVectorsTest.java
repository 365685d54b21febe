package dev.forebay.sampler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.forebay.memory.Mix64;
import dev.forebay.transform.Randomness;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Holds the code to the published vectors, and those to an implementation in Python. */
class DeterminismVectorsTest {
  private static final double GAUSSIAN_ERROR_MAX = 1e-11;

  /** One line of a file of vectors. */
  private record Vector(List<String> inputs, String outputs) {
    static Vector parse(String line) {
      String[] sides = line.split(" -> ", -1);
      return new Vector(List.of(sides[0].split(" ", -1)), sides[1]);
    }

    String text(int input) {
      return inputs.get(input);
    }

    long number(int input) {
      return Long.parseLong(text(input));
    }

    long bits(int input) {
      return Long.parseUnsignedLong(text(input), 16);
    }

    String[] list(int input) {
      return text(input).equals("-") ? new String[0] : text(input).split(",", -1);
    }

    void assertGives(String actual) {
      assertEquals(outputs, actual, () -> "for " + inputs);
    }
  }

  private static List<Vector> vectors(String file) throws IOException {
    List<Vector> vectors =
        Files.readAllLines(PythonScript.root().resolve("docs/vectors").resolve(file)).stream()
            .filter(line -> !line.startsWith("#"))
            .map(Vector::parse)
            .toList();
    assertFalse(vectors.isEmpty(), file);
    return vectors;
  }

  private static String joined(LongStream numbers) {
    String joined = numbers.mapToObj(String::valueOf).collect(Collectors.joining(","));
    return joined.isEmpty() ? "-" : joined;
  }

  private static String hex(long bits) {
    return "%016x".formatted(bits);
  }

  @Test
  void mix_equalsTheVectors() throws IOException {
    for (Vector vector : vectors("mix.txt")) {
      vector.assertGives(hex(Mix64.mix(vector.bits(0))));
    }
  }

  @Test
  void keys_equalTheVectors() throws IOException {
    for (Vector vector : vectors("keys.txt")) {
      long key = Mix64.key(vector.number(0), vector.number(1), vector.number(2));
      vector.assertGives(
          hex(key) + " " + hex(Mix64.number(key, 1)) + " " + hex(Mix64.number(key, 2)));
    }
  }

  @Test
  void permutation_equalsTheVectors() throws IOException {
    for (Vector vector : vectors("permutation.txt")) {
      FeistelPermutation permutation =
          FeistelPermutation.of(vector.number(0), vector.number(1), vector.number(2));
      long[] positions = Arrays.stream(vector.list(3)).mapToLong(Long::parseLong).toArray();
      vector.assertGives(joined(LongStream.of(positions).map(permutation::at)));
      for (long position : positions) {
        assertEquals(position, permutation.positionOf(permutation.at(position)));
      }
    }
  }

  @Test
  void weightedDraws_equalTheVectors() throws IOException {
    for (Vector vector : vectors("weighted.txt")) {
      double[] weights = Arrays.stream(vector.list(0)).mapToDouble(Double::parseDouble).toArray();
      boolean replacement = vector.text(2).equals("true");
      Sampler sampler = Sampler.weighted(weights, vector.number(1), replacement, vector.number(3));
      EpochOrder order = sampler.order(weights.length, vector.number(4));
      vector.assertGives(joined(LongStream.of(Orders.ids(order))));
    }
  }

  @Test
  void split_equalsTheVectors() throws IOException {
    for (Vector vector : vectors("split.txt")) {
      World world = new World((int) vector.number(1), (int) vector.number(2));
      Partition part =
          world.split(
              new SequentialOrder(vector.number(0)),
              World.Tail.valueOf(vector.text(3)),
              vector.number(4));
      String shown =
          LongStream.range(0, part.size())
              .mapToObj(position -> (part.isPadding(position) ? "p" : "") + part.at(position))
              .collect(Collectors.joining(","));
      vector.assertGives(shown.isEmpty() ? "-" : shown);
    }
  }

  @Test
  void randomness_equalsTheVectors() throws IOException {
    Randomness random = new Randomness();
    for (Vector vector : vectors("randomness.txt")) {
      String[] outputs = vector.outputs().split(" ", -1);
      for (int draw = 0; draw < outputs.length; draw++) {
        if (draw == 0 || draw > 2) {
          random.startSample(vector.number(0), vector.number(1), vector.number(2));
          random.startOperation((int) vector.number(3));
        }
        assertDraw(outputs[draw], draw, random);
      }
    }
  }

  private static void assertDraw(String expected, int draw, Randomness random) {
    switch (draw) {
      case 0, 1, 2 -> assertEquals(expected, hex(random.nextLong()));
      case 3 -> assertEquals(Double.parseDouble(expected), random.nextDouble());
      case 4 -> assertEquals(Integer.parseInt(expected), random.nextInt(10));
      case 5 -> assertEquals(Integer.parseInt(expected), random.nextInt(Integer.MAX_VALUE));
      default ->
          assertEquals(Double.parseDouble(expected), random.nextGaussian(), GAUSSIAN_ERROR_MAX);
    }
  }

  @Test
  void certificate_equalsTheVectors() throws IOException {
    for (Vector vector : vectors("certificate.txt")) {
      Coverage coverage = new Coverage();
      int dots = vector.text(0).indexOf("..");
      if (dots >= 0) {
        long below = Long.parseLong(vector.text(0).substring(dots + 2));
        coverage.add(CoverageCertificate.expected(below));
      } else {
        Arrays.stream(vector.list(0)).mapToLong(Long::parseLong).forEach(coverage::add);
      }
      vector.assertGives(coverage.certificate().delivered().toString());
    }
  }

  @Tag("python")
  @Test
  void vectors_equalThoseOfAnImplementationInPython() throws IOException, InterruptedException {
    String folder = PythonScript.root().resolve("docs/vectors").toString();
    assertEquals(List.of(), PythonScript.run("forebay_vectors.py", "check", folder));
  }
}
