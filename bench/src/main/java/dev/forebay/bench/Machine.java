package dev.forebay.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Says what machine this is, for reports. Stateless. */
final class Machine {
  private static final long GIBIBYTE = 1L << 30;

  private Machine() {}

  /** Processor, cores, memory, Java. */
  static String describe() {
    return "%s, %d processors, %s of memory, Java %s on %s %s"
        .formatted(
            first(Path.of("/proc/cpuinfo"), "model name", "unknown processor"),
            Runtime.getRuntime().availableProcessors(),
            memory(),
            Runtime.version(),
            System.getProperty("os.name"),
            System.getProperty("os.version"));
  }

  /** The machine's memory; 0 if unknown. */
  static long memoryBytes() {
    String digits = first(Path.of("/proc/meminfo"), "MemTotal", "").replaceAll("[^0-9]", "");
    return digits.isEmpty() ? 0 : Long.parseLong(digits) * 1024;
  }

  private static String memory() {
    long bytes = memoryBytes();
    return bytes == 0 ? "unknown size" : Math.round((double) bytes / GIBIBYTE) + " GiB";
  }

  private static String first(Path file, String key, String otherwise) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(otherwise);
    } catch (IOException absent) {
      return otherwise;
    }
  }
}
