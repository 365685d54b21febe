package dev.forebay.cli;

import dev.forebay.cli.console.Interruption;
import dev.forebay.error.ConfigurationException;
import dev.forebay.error.ForebayException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/** The program {@code forebay}: finds the command, and turns errors into messages. */
@Command(
    name = "forebay",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    header = "Loads training data faster than a model can use it.",
    synopsisSubcommandLabel = "COMMAND",
    description = {"", "`forebay COMMAND --help` explains a command.%n"},
    commandListHeading = "Commands:%n")
public final class Main {
  private static final String DEMO = "demo";
  private static final String DEMO_LINE =
      "  demo     Trains a small network with and without loading ahead.";
  private static final List<String> FOOTER =
      List.of(
          "  test     Runs all tests.",
          "",
          "Settings by environment:",
          "  FOREBAY_JAVA       the Java to use: a JDK's folder or its bin/java",
          "  FOREBAY_JAVA_OPTS  options for Java, such as -Xmx4g",
          "  FOREBAY_DEBUG=1    errors with their stack traces, as --verbose");

  @Option(
      names = {"-v", "--verbose"},
      scope = ScopeType.INHERIT,
      description = "Shows the stack traces of errors.")
  private boolean verbose;

  private final CommandLine commandLine;

  private Main(PrintWriter out, PrintWriter err, Interruption interruption) {
    commandLine = new CommandLine(this);
    commandLine.addSubcommand(new BenchCommand(interruption));
    commandLine.addSubcommand(new InspectCommand());
    commandLine.addSubcommand(new PackCommand(interruption));
    commandLine.addSubcommand(new RecipeCommand());
    commandLine.addSubcommand(new RehearseCommand());
    ServiceLoader.load(CliCommand.class).stream()
        .map(ServiceLoader.Provider::get)
        .forEach(this::add);
    addFooter();
    commandLine
        .setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setAbbreviatedOptionsAllowed(false)
        .setUsageHelpLongOptionsMaxWidth(28)
        .setExecutionExceptionHandler((error, command, _) -> report(error, command))
        .setParameterExceptionHandler((error, _) -> usage(error));
  }

  private void add(CliCommand command) {
    CommandLine parent =
        command.parent().isEmpty()
            ? commandLine
            : Objects.requireNonNull(
                commandLine.getSubcommands().get(command.parent()), command.parent());
    parent.addSubcommand(command);
  }

  /** Lists what the launcher knows besides: the demo is on the class path only where it is run. */
  private void addFooter() {
    List<String> lines = new ArrayList<>(FOOTER);
    if (!commandLine.getSubcommands().containsKey(DEMO)) {
      lines.addFirst(DEMO_LINE);
    }
    commandLine.getCommandSpec().usageMessage().footer(lines.toArray(new String[0]));
  }

  /** Runs the program and ends the process. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    Interruption interruption = new Interruption();
    interruption.install();
    int exitCode = new Main(out, err, interruption).run(List.of(args));
    interruption.finish();
    System.exit(exitCode);
  }

  /**
   * Runs one command within this process.
   *
   * @param args the command and its parameters
   * @param out takes results
   * @param err takes messages and progress
   * @return the exit code
   */
  public static int run(List<String> args, PrintWriter out, PrintWriter err) {
    return new Main(out, err, new Interruption()).run(args);
  }

  private int run(List<String> args) {
    int exitCode = ExitCode.OK;
    if (args.isEmpty()) {
      commandLine.usage(commandLine.getOut());
    } else {
      exitCode = commandLine.execute(args.toArray(new String[0]));
    }
    commandLine.getOut().flush();
    commandLine.getErr().flush();
    return exitCode;
  }

  private static int usage(ParameterException error) {
    CommandLine command = error.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("forebay: " + error.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(error, err);
    err.println(
        "`" + command.getCommandSpec().qualifiedName() + " --help` shows what is possible.");
    return ExitCode.USAGE;
  }

  private int report(Exception error, CommandLine command) {
    PrintWriter err = command.getErr();
    err.println("forebay: " + message(error));
    if (verbose || isDebug()) {
      error.printStackTrace(err);
    } else if (!isExpected(error)) {
      err.println("This looks like a mistake in forebay; --verbose shows where it happened.");
    }
    return isUsage(error) ? ExitCode.USAGE : ExitCode.FAILURE;
  }

  private static boolean isDebug() {
    String debug = Objects.requireNonNullElse(System.getenv("FOREBAY_DEBUG"), "");
    return !debug.isEmpty() && !debug.equals("0");
  }

  private static boolean isUsage(Exception error) {
    return error instanceof ConfigurationException || error instanceof IllegalArgumentException;
  }

  private static boolean isExpected(Exception error) {
    return error instanceof ForebayException
        || error instanceof IllegalArgumentException
        || error instanceof IOException
        || error instanceof UncheckedIOException;
  }

  private static String message(Exception error) {
    return switch (error) {
      case NoSuchFileException missing -> missing.getFile() + " does not exist";
      case AccessDeniedException denied -> denied.getFile() + " may not be accessed";
      default -> error.getMessage() == null ? error.toString() : error.getMessage();
    };
  }
}
