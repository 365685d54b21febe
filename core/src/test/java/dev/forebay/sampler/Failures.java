package dev.forebay.sampler;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Checks of errors together with what they say. */
final class Failures {
  private Failures() {}

  static void assertFails(Class<? extends Throwable> type, String words, Executable code) {
    String message = String.valueOf(assertThrows(type, code).getMessage());
    assertTrue(message.contains(words), message);
  }
}
