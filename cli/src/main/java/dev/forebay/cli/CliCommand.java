package dev.forebay.cli;

import java.util.concurrent.Callable;

/**
 * A command that another module adds to the program: a class with picocli's {@code @Command}, named
 * in {@code META-INF/services/dev.forebay.cli.CliCommand} and with a public constructor without
 * parameters.
 *
 * <p>Its result is the exit code: see {@link ExitCode}. Results go to the {@code getOut()} of its
 * {@code CommandLine}, everything else to {@code getErr()}. An exception becomes a plain message.
 * Used by one thread.
 */
public interface CliCommand extends Callable<Integer> {
  /** The command that this one belongs to, such as "bench"; empty, the default, if to none. */
  default String parent() {
    return "";
  }
}
