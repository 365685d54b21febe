package dev.forebay.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is loaded in a comparison. */
public enum Workload {
  /** Random crops of 224 x 224, flips, normalised to float32, from JPEG files. */
  JPEG_TRAIN("JPEG training", Data.PHOTOS, true),
  /** The shorter side to 256, the middle 224 x 224, normalised, from JPEG files. */
  JPEG_EVAL("JPEG evaluation", Data.PHOTOS, true),
  /** As the first, from files that {@code forebay pack --jpeg-restart 1} has made. */
  JPEG_RESTART("JPEG training, restart-indexed", Data.RESTART_PHOTOS, true),
  /** As the first, from pictures that were decoded once and lie in memory. */
  DECODED("training from decoded pictures in memory", Data.PHOTOS, false),
  /** Rows of 3 x 224 x 224 bytes out of memory. */
  ROWS("rows of 3x224x224 bytes", Data.NONE, false),
  /** Samples of 8 bytes. */
  NUMBERS("8-byte samples", Data.NONE, false),
  /** Windows of 1,024 tokens out of a uint16 file, to int64. */
  TOKENS("windows of 1,024 tokens", Data.TOKENS, false),
  /** Files of 4 KiB from the page cache. */
  FILES_WARM("files of 4 KiB, warm", Data.SMALL_FILES, false),
  /** The same files, dropped from the page cache before. */
  FILES_COLD("files of 4 KiB, cold", Data.SMALL_FILES, false),
  /** One sample in a hundred takes fifty times as long as the others' 0.5 ms. */
  UNEVEN("1 % of samples 50 x slower", Data.NONE, false);

  /** What a workload is loaded from. */
  enum Data {
    PHOTOS,
    RESTART_PHOTOS,
    TOKENS,
    SMALL_FILES,
    NONE
  }

  private final String title;
  private final Data data;
  private final boolean isKnownToDjl;

  Workload(String title, Data data, boolean isKnownToDjl) {
    this.title = title;
    this.data = data;
    this.isKnownToDjl = isKnownToDjl;
  }

  /**
   * The workload of that name.
   *
   * @throws IllegalArgumentException if there is none; the message lists all
   */
  public static Workload of(String name) {
    return Arrays.stream(values())
        .filter(workload -> workload.id().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no workload '%s'; possible: %s".formatted(name, ids())));
  }

  /** The names of all, separated by commas. */
  static String ids() {
    return Arrays.stream(values()).map(Workload::id).collect(Collectors.joining(", "));
  }

  /** The name on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it is, in some words. */
  String title() {
    return title;
  }

  /** Whether a sample is so little work that workers cost more than they bring. */
  boolean isTiny() {
    return this == ROWS || this == NUMBERS || this == TOKENS;
  }

  Data data() {
    return data;
  }

  boolean isKnownToDjl() {
    return isKnownToDjl;
  }
}
