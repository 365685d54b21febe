package dev.forebay.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Says what machine this is, for reports. Stateless. */
final class Machine {
  private static final long KIBIBYTES_PER_GIBIBYTE = 1 << 20;

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

  private static String memory() {
    String text = first(Path.of("/proc/meminfo"), "MemTotal", "");
    String digits = text.replaceAll("[^0-9]", "");
    return digits.isEmpty()
        ? "unknown size"
        : Math.round((double) Long.parseLong(digits) / KIBIBYTES_PER_GIBIBYTE) + " GiB";
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
