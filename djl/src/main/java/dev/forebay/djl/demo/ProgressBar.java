package dev.forebay.djl.demo;

import dev.forebay.cli.console.ProgressLine;

/** How far a long piece of work is, as a bar. Confined to one thread. */
final class ProgressBar {
  private static final int CHARS = 30;

  private final ProgressLine line;
  private final String what;
  private final long total;

  ProgressBar(ProgressLine line, String what, long total) {
    this.line = line;
    this.what = what;
    this.total = Math.max(1, total);
  }

  /** So much is done now. */
  void show(long done) {
    line.update(() -> text(done));
  }

  String text(long done) {
    int filled = (int) (done * CHARS / total);
    return "%-24s [%s%s] %d of %d"
        .formatted(what, "#".repeat(filled), ".".repeat(Math.max(0, CHARS - filled)), done, total);
  }
}
