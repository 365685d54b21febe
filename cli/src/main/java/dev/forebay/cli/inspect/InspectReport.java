package dev.forebay.cli.inspect;

import dev.forebay.cli.console.Quantities;
import dev.forebay.dataset.Dataset;
import dev.forebay.dataset.ImageFolder;
import dev.forebay.memory.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a dataset holds. */
public final class InspectReport {
  private static final int SHOWN_MAX = 20;

  private final Map<String, Object> plain = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private final boolean isFaultless;

  InspectReport(
      String path,
      Dataset dataset,
      List<String> classes,
      long[] counts,
      Sizes sizes,
      List<Finding> unreadable,
      boolean isVerified,
      List<Finding> broken) {
    boolean isFolder = dataset instanceof ImageFolder;
    isFaultless = unreadable.isEmpty() && broken.isEmpty();
    add("path", "path", path, path);
    String kind = isFolder ? "image_folder" : "dataset";
    add("kind", "kind", kind, isFolder ? "folder of images, one folder per class" : "dataset");
    add("samples", "samples", dataset.size(), "%,d".formatted(dataset.size()));
    plain.put("fingerprint", dataset.fingerprint());
    addFields(dataset);
    if (isFolder) {
      addClasses(classes, counts);
      add("bytes", "bytes", sizes.total(), Quantities.rounded((double) sizes.total()));
      add("sizes", "file sizes", sizes.percentiles(), sizes.text());
    }
    addFindings("unreadable", "unreadable", unreadable);
    plain.put("verified", isVerified);
    if (isVerified) {
      addFindings("broken", "broken", broken);
    } else if (isFolder) {
      lines.add("");
      lines.add("Names and sizes only; --verify decodes every image.");
    }
  }

  private void add(String key, String label, Object value, String text) {
    plain.put(key, value);
    lines.add(String.format(Locale.ROOT, "%-12s%s", label, text));
  }

  private void addFields(Dataset dataset) {
    List<String> fields = new ArrayList<>();
    for (Field field : dataset.schema().fields()) {
      String kind =
          field.kind() == Field.Kind.TENSOR
              ? field.dtype().label() + field.shape()
              : field.kind().name().toLowerCase(Locale.ROOT);
      fields.add(field.name() + " " + kind);
    }
    add("fields", "fields", fields, String.join(", ", fields));
  }

  private void addClasses(List<String> classes, long[] counts) {
    List<Map<String, Object>> list = new ArrayList<>();
    lines.add(String.format(Locale.ROOT, "%-12s%,d", "classes", classes.size()));
    for (int label = 0; label < classes.size(); label++) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", classes.get(label));
      one.put("samples", counts[label]);
      list.add(one);
      if (label < SHOWN_MAX) {
        String empty = counts[label] == 0 ? "  empty: an error unless allow_empty is true" : "";
        lines.add(
            String.format(
                Locale.ROOT,
                "  %4d  %-30s %,10d%s",
                label,
                classes.get(label),
                counts[label],
                empty));
      }
    }
    addMore(classes.size());
    plain.put("classes", list);
  }

  private void addFindings(String key, String label, List<Finding> findings) {
    plain.put(key + "_count", findings.size());
    plain.put(key, findings.stream().map(Finding::plain).toList());
    lines.add(String.format(Locale.ROOT, "%-12s%,d", label, findings.size()));
    findings.stream()
        .limit(SHOWN_MAX)
        .forEach(finding -> lines.add("  " + finding.path() + ": " + finding.reason()));
    addMore(findings.size());
  }

  private void addMore(int count) {
    if (count > SHOWN_MAX) {
      lines.add("  and %,d more; --json lists all".formatted(count - SHOWN_MAX));
    }
  }

  /** True if nothing is unreadable or broken, as far as it was looked at. */
  public boolean isFaultless() {
    return isFaultless;
  }

  /** One JSON object. */
  public Map<String, Object> plain() {
    return plain;
  }

  /** Some lines for people. */
  public String text() {
    return String.join(System.lineSeparator(), lines);
  }
}
