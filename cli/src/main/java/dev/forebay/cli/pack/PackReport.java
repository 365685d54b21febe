package dev.forebay.cli.pack;

import dev.forebay.cli.console.Quantities;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a packing did.
 *
 * @param interval MCUs between two restart markers
 * @param files the source's files
 * @param faults the first files that are damaged, with the reason
 */
public record PackReport(
    Path source,
    Path target,
    int interval,
    int files,
    Counts counts,
    double seconds,
    List<String> faults,
    boolean isInterrupted) {
  /** Copies the list. */
  public PackReport {
    faults = List.copyOf(faults);
  }

  /**
   * Numbers of files and bytes.
   *
   * @param recoded JPEG files coded anew
   * @param copied other files, copied as they are
   * @param damaged JPEG files that cannot be coded anew, copied as they are
   * @param kept files that were there already
   */
  record Counts(long recoded, long copied, long damaged, long kept, long bytesIn, long bytesOut) {
    static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0);

    static Counts recoded(long bytesIn, long bytesOut) {
      return new Counts(1, 0, 0, 0, bytesIn, bytesOut);
    }

    static Counts copied(long bytes) {
      return new Counts(0, 1, 0, 0, bytes, bytes);
    }

    static Counts damaged(long bytes) {
      return new Counts(0, 0, 1, 0, bytes, bytes);
    }

    static Counts kept(long bytesIn, long bytesOut) {
      return new Counts(0, 0, 0, 1, bytesIn, bytesOut);
    }

    Counts plus(Counts other) {
      return new Counts(
          recoded + other.recoded,
          copied + other.copied,
          damaged + other.damaged,
          kept + other.kept,
          bytesIn + other.bytesIn,
          bytesOut + other.bytesOut);
    }
  }

  /** The report as lines of text. */
  public String text() {
    List<String> lines = new ArrayList<>();
    line(lines, "files", String.format(Locale.ROOT, "%,d from %s to %s", files, source, target));
    line(lines, "recoded", String.format(Locale.ROOT, "%,d, pixels compared", counts.recoded));
    line(lines, "copied", String.format(Locale.ROOT, "%,d that are no JPEG", counts.copied));
    line(lines, "kept", String.format(Locale.ROOT, "%,d that were there already", counts.kept));
    line(lines, "size", sizes());
    line(lines, "time", Quantities.roundedSeconds(seconds));
    if (counts.damaged > 0) {
      lines.add(
          String.format(
              Locale.ROOT, "%,d damaged JPEG files were copied as they are:", counts.damaged));
      faults.forEach(fault -> lines.add("  " + fault));
      if (counts.damaged > faults.size()) {
        lines.add("  and " + (counts.damaged - faults.size()) + " more");
      }
    }
    if (isInterrupted) {
      lines.add("Stopped early; the same command goes on from here.");
    }
    return String.join(System.lineSeparator(), lines);
  }

  private static void line(List<String> lines, String name, String text) {
    lines.add(String.format(Locale.ROOT, "%-10s%s", name, text));
  }

  private String sizes() {
    double change = counts.bytesIn == 0 ? 0 : 100.0 * counts.bytesOut / counts.bytesIn - 100;
    return String.format(
        Locale.ROOT,
        "%s, before %s (%+.1f %%)",
        Quantities.rounded((double) counts.bytesOut),
        Quantities.rounded((double) counts.bytesIn),
        change);
  }

  /** The report as maps and numbers. */
  public Map<String, Object> plain() {
    Map<String, Object> plain = new LinkedHashMap<>();
    plain.put("source", source.toString());
    plain.put("target", target.toString());
    plain.put("jpeg_restart", interval);
    plain.put("files", files);
    plain.put("recoded", counts.recoded);
    plain.put("copied", counts.copied);
    plain.put("damaged", counts.damaged);
    plain.put("kept", counts.kept);
    plain.put("bytes_before", counts.bytesIn);
    plain.put("bytes", counts.bytesOut);
    plain.put("seconds", seconds);
    plain.put("damaged_files", faults);
    plain.put("interrupted", isInterrupted);
    return plain;
  }
}
