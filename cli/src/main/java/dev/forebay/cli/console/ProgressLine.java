package dev.forebay.cli.console;

import dev.forebay.stats.Ticker;
import java.io.PrintWriter;
import java.util.function.Supplier;

/**
 * Shows how far a command is: on a terminal one line that changes, elsewhere a line now and then.
 * Confined to one thread.
 */
public final class ProgressLine implements AutoCloseable {
  private static final long TERMINAL_NANOS = 100_000_000L;
  private static final long FILE_NANOS = 10_000_000_000L;

  private final PrintWriter err;
  private final boolean isTerminal;
  private final Ticker ticker;
  private long latestNanos;
  private boolean isShown;

  /** Progress on {@code err}; the launcher says whether that is a terminal. */
  public ProgressLine(PrintWriter err) {
    this(err, Boolean.getBoolean("forebay.terminal"), Ticker.SYSTEM);
  }

  ProgressLine(PrintWriter err, boolean isTerminal, Ticker ticker) {
    this.err = err;
    this.isTerminal = isTerminal;
    this.ticker = ticker;
    this.latestNanos = ticker.nanos();
  }

  /** Shows the text, unless the latest is still fresh. */
  public void update(Supplier<String> text) {
    long now = ticker.nanos();
    if (now - latestNanos >= (isTerminal ? TERMINAL_NANOS : FILE_NANOS)) {
      latestNanos = now;
      show(text.get());
    }
  }

  private void show(String text) {
    if (isTerminal) {
      err.print("\r" + text + "\u001b[K");
      isShown = true;
    } else {
      err.println(text);
    }
    err.flush();
  }

  /** Takes the changing line away. */
  @Override
  public void close() {
    if (isShown) {
      err.print("\r\u001b[K");
      err.flush();
      isShown = false;
    }
  }
}
