package dev.forebay.cli;

/** What the program's exit codes mean. */
public final class ExitCode {
  /** Done. */
  public static final int OK = 0;

  /** It was tried and did not work, or a check found something. */
  public static final int FAILURE = 1;

  /** The command, a recipe or a saved state is wrong; nothing was done. */
  public static final int USAGE = 2;

  /** Ctrl-C; what is printed is the state until then. */
  public static final int INTERRUPTED = 130;

  private ExitCode() {}
}
