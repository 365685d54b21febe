package dev.forebay.cli.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final StringWriter text = new StringWriter();
  private long nanos;

  private ProgressLine progress(boolean isTerminal) {
    return new ProgressLine(new PrintWriter(text), isTerminal, () -> nanos);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void update_terminal_rewritesOneLineAndTakesItAway() {
    ProgressLine progress = progress(true);
    progress.update(() -> "too early");
    pass(Duration.ofMillis(100));
    progress.update(() -> "one");
    progress.update(() -> "too early");
    pass(Duration.ofMillis(100));
    progress.update(() -> "two");
    progress.close();
    progress.close();
    assertEquals("\rone\u001b[K\rtwo\u001b[K\r\u001b[K", text.toString());
  }

  @Test
  void update_file_writesALineNowAndThen() {
    ProgressLine progress = progress(false);
    pass(Duration.ofSeconds(9));
    progress.update(() -> "too early");
    pass(Duration.ofSeconds(1));
    progress.update(() -> "one");
    progress.close();
    assertEquals("one" + System.lineSeparator(), text.toString());
  }
}
