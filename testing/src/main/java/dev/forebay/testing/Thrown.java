package dev.forebay.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Objects;
import org.junit.jupiter.api.function.Executable;

/** What tests ask of the exceptions they expect. Stateless. */
public final class Thrown {
  private Thrown() {}

  /** The message of an exception, which must have one. */
  public static String message(Throwable thrown) {
    return Objects.requireNonNull(
        thrown.getMessage(), () -> thrown.getClass().getName() + " has no message");
  }

  /** Fails unless the message holds every part. */
  public static void assertMentions(Throwable thrown, Object... parts) {
    String message = message(thrown);
    for (Object part : parts) {
      assertTrue(message.contains(part.toString()), () -> "'" + part + "' is not in: " + message);
    }
  }

  /** Fails unless the code throws that, with a message that holds the words. */
  public static void assertFails(Class<? extends Throwable> type, String words, Executable code) {
    assertMentions(assertThrows(type, code), words);
  }
}
