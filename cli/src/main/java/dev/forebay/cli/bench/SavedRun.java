package dev.forebay.cli.bench;

import dev.forebay.LoaderState;
import dev.forebay.error.ConfigurationException;
import dev.forebay.sampler.CoverageCertificate;
import dev.forebay.sampler.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a run stopped: the loader's state, and what this rank had delivered of the epoch.
 *
 * @param state the loader's
 * @param world whose this is
 * @param part what was delivered of the state's epoch
 */
public record SavedRun(LoaderState state, World world, Part part) {
  private static final String HEADER = "forebay-bench/1";
  private static final String NO_DIGEST = "none";

  /**
   * What was delivered of an epoch.
   *
   * @param certificate of the samples
   * @param digest of the bytes, or null if it was not asked for
   */
  public record Part(CoverageCertificate certificate, @Nullable String digest) {
    /** Nothing yet. */
    public static final Part NONE = new Part(CoverageCertificate.EMPTY, null);
  }

  /** Two lines of text: the loader's state, then the rest. */
  public void write(Path file) throws IOException {
    String text =
        "%s%n%s rank=%d world=%d coverage=%s digest=%s%n"
            .formatted(
                state,
                HEADER,
                world.rank(),
                world.worldSize(),
                part.certificate,
                part.digest == null ? NO_DIGEST : part.digest);
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(whole, text);
    Files.move(whole, file, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Reads what {@link #write} wrote, or a loader's state alone.
   *
   * @throws ConfigurationException if it is something else
   */
  public static SavedRun read(Path file) throws IOException {
    List<String> lines = Files.readString(file).lines().toList();
    try {
      LoaderState state = LoaderState.parse(lines.isEmpty() ? "" : lines.getFirst());
      return lines.size() < 2
          ? new SavedRun(state, World.SINGLE, Part.NONE)
          : new SavedRun(state, world(lines.get(1)), part(lines.get(1)));
    } catch (IllegalArgumentException | ConfigurationException e) {
      throw new ConfigurationException(file + ": " + e.getMessage(), e);
    }
  }

  private static World world(String line) {
    Map<String, String> words = words(line);
    return new World(Integer.parseInt(word(words, "rank")), Integer.parseInt(word(words, "world")));
  }

  private static Part part(String line) {
    Map<String, String> words = words(line);
    String digest = word(words, "digest");
    return new Part(
        CoverageCertificate.parse(word(words, "coverage")),
        digest.equals(NO_DIGEST) ? null : RowDigest.resume(digest).hex());
  }

  private static String word(Map<String, String> words, String name) {
    String value = words.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the second line has no '" + name + "'");
    }
    return value;
  }

  private static Map<String, String> words(String line) {
    Map<String, String> words = new HashMap<>();
    List<String> all = List.of(line.strip().split(" +"));
    if (!all.getFirst().equals(HEADER)) {
      throw new IllegalArgumentException("the second line does not begin with " + HEADER);
    }
    for (String word : all.subList(1, all.size())) {
      int equals = word.indexOf('=');
      words.put(word.substring(0, Math.max(0, equals)), word.substring(equals + 1));
    }
    return words;
  }
}
