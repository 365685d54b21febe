package dev.forebay.djl.demo;

import java.io.Console;
import java.io.PrintWriter;

/** Shows how far a long piece of work is: a bar on a terminal, else a line per tenth. */
final class ProgressLine {
  private static final int BAR_CHARS = 30;

  private final PrintWriter err;
  private final String what;
  private final long total;
  private final boolean isTerminal;
  private int shown = -1;

  ProgressLine(PrintWriter err, String what, long total) {
    this.err = err;
    this.what = what;
    this.total = Math.max(1, total);
    this.isTerminal = isTerminal();
  }

  @SuppressWarnings("SystemConsoleNull") // it does return null where there is no terminal
  private static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /** So much is done now. */
  void show(long done) {
    int steps = isTerminal ? 100 : 10;
    int step = (int) (done * steps / total);
    if (step == shown) {
      return;
    }
    shown = step;
    if (isTerminal) {
      int filled = (int) (done * BAR_CHARS / total);
      String bar = "#".repeat(filled) + ".".repeat(Math.max(0, BAR_CHARS - filled));
      err.print("\r%-28s [%s] %3d %%".formatted(what, bar, step));
      err.print(done >= total ? System.lineSeparator() : "");
    } else {
      err.println("%s: %d of %d".formatted(what, done, total));
    }
    err.flush();
  }
}
