package dev.forebay;

import dev.forebay.error.ConfigurationException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Where a training run is in its data: enough to go on at exactly the next batch, on any number of
 * ranks. A few hundred bytes whatever the dataset's size. Immutable.
 *
 * <p>All ranks of a run that are at the same step have the same state, but for {@code ahead}, so
 * one rank's is enough to resume all.
 *
 * @param fingerprint of the dataset
 * @param plan identifies the global order, see {@code AccessPlan.id()}
 * @param seed of all randomness
 * @param epoch 0-based
 * @param position how much of the epoch's global order all ranks have consumed: samples, or batches
 *     if a batch sampler is used
 * @param layout world size, rank and batch size, if {@code ahead} is not empty: it is only valid
 *     for those
 * @param ahead batches delivered ahead of {@code position}, relative to the one there; empty unless
 *     batches are delivered in the order of their completion
 */
public record LoaderState(
    String fingerprint,
    String plan,
    long seed,
    long epoch,
    long position,
    String layout,
    List<Long> ahead) {
  private static final String HEADER = "forebay-state/1";

  /** Checks the ranges. */
  public LoaderState {
    Objects.requireNonNull(fingerprint, "fingerprint");
    Objects.requireNonNull(plan, "plan");
    Objects.requireNonNull(layout, "layout");
    ahead = List.copyOf(ahead);
    if (epoch < 0 || position < 0 || ahead.stream().anyMatch(batch -> batch < 1)) {
      throw new ConfigurationException(
          "a state needs epoch, position >= 0 and batches ahead >= 1, not epoch=%d position=%d ahead=%s"
              .formatted(epoch, position, ahead));
    }
  }

  /** One line of text, which {@link #parse} reads. */
  @Override
  public String toString() {
    String text =
        "%s fingerprint=%s plan=%s seed=%d epoch=%d position=%d"
            .formatted(HEADER, fingerprint, plan, seed, epoch, position);
    if (ahead.isEmpty()) {
      return text;
    }
    String batches = ahead.stream().map(String::valueOf).collect(Collectors.joining(","));
    return text + " layout=" + layout + " ahead=" + batches;
  }

  /**
   * Reads a state.
   *
   * @throws ConfigurationException if the text is no state; the message says why
   */
  public static LoaderState parse(String text) {
    String[] words = text.strip().split(" +");
    if (!words[0].equals(HEADER)) {
      throw new ConfigurationException(
          "not a state: it begins with '%s' instead of '%s'".formatted(words[0], HEADER));
    }
    Map<String, String> parts = new HashMap<>();
    for (String word : Arrays.asList(words).subList(1, words.length)) {
      int equals = word.indexOf('=');
      if (equals < 1 || parts.put(word.substring(0, equals), word.substring(equals + 1)) != null) {
        throw new ConfigurationException(
            "not a state: '" + word + "' is no key=value, or is double");
      }
    }
    String ahead = parts.getOrDefault("ahead", "");
    try {
      return new LoaderState(
          part(parts, "fingerprint"),
          part(parts, "plan"),
          Long.parseLong(part(parts, "seed")),
          Long.parseLong(part(parts, "epoch")),
          Long.parseLong(part(parts, "position")),
          parts.getOrDefault("layout", ""),
          ahead.isEmpty()
              ? List.of()
              : Arrays.stream(ahead.split(",")).map(Long::valueOf).toList());
    } catch (NumberFormatException e) {
      throw new ConfigurationException("not a state: " + e.getMessage() + " in '" + text + "'", e);
    }
  }

  private static String part(Map<String, String> parts, String key) {
    String value = parts.get(key);
    if (value == null) {
      throw new ConfigurationException("not a state: '" + key + "' is missing");
    }
    return value;
  }
}
