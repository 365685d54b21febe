package dev.forebay.pipeline;

import dev.forebay.error.ConfigurationException;
import dev.forebay.stats.LoaderStats.BadSample;
import dev.forebay.stats.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The samples known to be bad, in memory and, if the user names one, in a file that later runs
 * honour. Thread-safe; guarded by its monitor. Bounded by the skip budget.
 *
 * <p>The file has one JSON object a line: {@code dataset} (fingerprint), {@code sample}, {@code
 * object}, {@code stage}, {@code cause}. A sample is appended when it is found to be bad; lines of
 * other datasets are left alone; a torn last line, of a run that was killed, is ignored.
 */
final class Quarantine {
  private static final Pattern LINE =
      Pattern.compile(
          "\\{\"dataset\":\"((?:[^\"\\\\]|\\\\.)*)\",\"sample\":(\\d+),\"object\":\"((?:[^\"\\\\]|\\\\.)*)\","
              + "\"stage\":\"(\\w+)\",\"cause\":\"((?:[^\"\\\\]|\\\\.)*)\"\\}");

  private final @Nullable Path file;
  private final String fingerprint;
  private final long newMax;
  private final Map<Long, BadSample> bad = new LinkedHashMap<>();
  private long newCount;

  /**
   * Reads what is known.
   *
   * @param newMax how many samples may be added
   */
  Quarantine(@Nullable Path file, String fingerprint, long newMax) {
    this.file = file;
    this.fingerprint = fingerprint;
    this.newMax = newMax;
    if (file != null && Files.exists(file)) {
      read(file);
    }
  }

  private void read(Path path) {
    List<String> lines;
    try {
      lines = Files.readAllLines(path, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ConfigurationException(
          "the quarantine file " + path + " cannot be read; name another or remove it", e);
    }
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        remember(matcher);
      } else if (!line.isBlank() && i + 1 < lines.size()) {
        throw new ConfigurationException(
            "the quarantine file %s is damaged in line %d: %s; repair or remove that line"
                .formatted(path, i + 1, line));
      }
    }
  }

  private void remember(Matcher matcher) {
    if (unescape(matcher.group(1)).equals(fingerprint)) {
      long id = Long.parseLong(matcher.group(2));
      Stage stage = Stage.valueOf(matcher.group(4).toUpperCase(Locale.ROOT));
      bad.put(id, new BadSample(id, unescape(matcher.group(3)), stage, unescape(matcher.group(5))));
    }
  }

  /** What is known of a sample, or null if it is not known to be bad. */
  synchronized @Nullable BadSample get(long id) {
    return bad.isEmpty() ? null : bad.get(id);
  }

  /** All bad samples, in the order in which they became known. */
  synchronized List<BadSample> all() {
    return List.copyOf(bad.values());
  }

  /** Adds a sample; returns false if the budget does not allow another. */
  synchronized boolean add(BadSample sample) {
    if (bad.containsKey(sample.id())) {
      return true;
    }
    if (newCount >= newMax) {
      return false;
    }
    newCount++;
    bad.put(sample.id(), sample);
    if (file != null) {
      append(file, sample);
    }
    return true;
  }

  private void append(Path path, BadSample sample) {
    String line =
        "{\"dataset\":\"%s\",\"sample\":%d,\"object\":\"%s\",\"stage\":\"%s\",\"cause\":\"%s\"}\n"
            .formatted(
                escape(fingerprint),
                sample.id(),
                escape(sample.location()),
                sample.stage().label(),
                escape(sample.cause()));
    try {
      if (path.getParent() != null) {
        Files.createDirectories(path.getParent());
      }
      Files.writeString(path, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("the quarantine file " + path + " cannot be written", e);
    }
  }

  private static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        escaped.append('\\').append(c);
      } else if (c < 0x20) {
        escaped.append("\\u%04x".formatted((int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  private static String unescape(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        plain.append(c);
      } else if (text.charAt(i + 1) == 'u' && i + 5 < text.length()) {
        plain.append((char) Integer.parseInt(text, i + 2, i + 6, 16));
        i += 5;
      } else {
        plain.append(text.charAt(++i));
      }
    }
    return plain.toString();
  }
}
