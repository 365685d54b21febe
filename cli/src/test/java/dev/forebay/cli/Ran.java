package dev.forebay.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * What one command did.
 *
 * @param exitCode its exit code
 * @param out what it printed as its result
 * @param err what it printed besides
 */
record Ran(int exitCode, String out, String err) {
  /** Runs a command in this process. */
  static Ran command(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode = Main.run(List.of(args), new PrintWriter(out), new PrintWriter(err));
    return new Ran(exitCode, out.toString(), err.toString());
  }
}
