package dev.forebay.storage;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checks what error messages say. */
public final class Mentions {
  private Mentions() {}

  /** Fails unless the message holds every part. */
  public static void assertMentions(Throwable failure, Object... parts) {
    String message = String.valueOf(failure.getMessage());
    for (Object part : parts) {
      assertTrue(message.contains(part.toString()), "'" + part + "' is not in: " + message);
    }
  }
}
