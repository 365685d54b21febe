package dev.forebay.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.forebay.error.ForebayException.Advice;
import dev.forebay.error.LoaderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a contender once and looks at its memory while it runs. Stateless. */
final class MeasuredProcess {
  private static final long POLL_MILLIS = 250;
  private static final long KIBIBYTE = 1024;
  private static final int OUTPUT_SHOWN_MAX = 2000;
  private static final long NUMBERS_TIMEOUT_SECONDS = 1800;

  private MeasuredProcess() {}

  /** Runs a command to its end; it must print one line of JSON. */
  static Measurement run(List<String> command, long timeoutSeconds)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("forebay-bench-", ".out");
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      double memory = watch(process, start + TimeUnit.SECONDS.toNanos(timeoutSeconds));
      double seconds = (System.nanoTime() - start) / 1e9;
      String text = Files.readString(output);
      if (process.exitValue() != 0) {
        throw failed(command, "exit code " + process.exitValue(), text);
      }
      return parse(command, text, seconds, memory);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      Files.deleteIfExists(output);
    }
  }

  /** Runs a command to its end; it must print one line of JSON, an object of numbers. */
  static Map<String, Double> numbers(List<String> command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("forebay-bench-", ".out");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(NUMBERS_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw failed(command, "it did not end in time", Files.readString(output));
      }
      String text = Files.readString(output);
      if (process.exitValue() != 0) {
        throw failed(command, "exit code " + process.exitValue(), text);
      }
      Map<String, Double> numbers = new LinkedHashMap<>();
      String last = text.lines().reduce("", (_, line) -> line);
      new ObjectMapper()
          .readTree(last)
          .properties()
          .forEach(entry -> numbers.put(entry.getKey(), entry.getValue().asDouble()));
      return numbers;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      Files.deleteIfExists(output);
    }
  }

  private static double watch(Process process, long deadline) throws InterruptedException {
    double highest = 0;
    while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
      if (System.nanoTime() > deadline) {
        throw new LoaderException(
            Advice.FAIL_EPOCH, "a measured process did not end in time: " + process.info(), null);
      }
      try (Stream<ProcessHandle> family =
          Stream.concat(Stream.of(process.toHandle()), process.descendants())) {
        highest = Math.max(highest, family.mapToDouble(one -> proportionalBytes(one.pid())).sum());
      }
    }
    return highest;
  }

  /** The proportional set size; 0 if the process has just ended. */
  private static double proportionalBytes(long pid) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + pid + "/smaps_rollup"))) {
      return lines
          .filter(line -> line.startsWith("Pss:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * KIBIBYTE)
          .sum();
    } catch (IOException | java.io.UncheckedIOException ended) {
      return 0;
    }
  }

  private static Measurement parse(
      List<String> command, String text, double seconds, double memory) {
    String last = text.lines().reduce("", (_, line) -> line);
    try {
      JsonNode json = new ObjectMapper().readTree(last);
      double samples = json.path("samples").asDouble(-1);
      double measured = json.path("seconds").asDouble(-1);
      if (samples < 0 || measured <= 0) {
        throw failed(command, "no result", text);
      }
      return new Measurement(
          samples / measured,
          samples == 0 ? Double.NaN : json.path("cpu_seconds").asDouble() / samples * 1000,
          json.path("first_batch_seconds").asDouble(),
          seconds - measured,
          memory,
          json.path("version").asText());
    } catch (IOException e) {
      throw failed(command, "no result: " + e.getMessage(), text);
    }
  }

  private static LoaderException failed(List<String> command, String what, String text) {
    String shown = text.substring(Math.max(0, text.length() - OUTPUT_SHOWN_MAX));
    return new LoaderException(
        Advice.FAIL_EPOCH,
        "a measured process failed (%s): %s%n%s".formatted(what, String.join(" ", command), shown),
        null);
  }
}
