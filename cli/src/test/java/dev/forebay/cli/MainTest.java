package dev.forebay.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class MainTest {
  @Test
  void noArguments_help_isShown() {
    Ran ran = Ran.command();
    assertEquals(ExitCode.OK, ran.exitCode());
    assertTrue(ran.out().contains("Usage: forebay"), ran::out);
    assertEquals(ran.out(), Ran.command("--help").out());
  }

  @Test
  void version_output_namesProgramAndJava() {
    Ran ran = Ran.command("--version");
    assertEquals(ExitCode.OK, ran.exitCode());
    assertTrue(ran.out().matches("forebay \\d+\\.\\d+\\.\\d+\\S*\nJava 2\\d.*\n"), ran::out);
  }

  @Test
  void unknownCommand_error_isOnStderrAndUsage() {
    Ran ran = Ran.command("bnech");
    assertEquals(ExitCode.USAGE, ran.exitCode());
    assertEquals("", ran.out());
    assertTrue(ran.err().contains("bnech"), ran::err);
    assertTrue(ran.err().contains("`forebay --help`"), ran::err);
  }
}
