package dev.forebay.testing;

import java.util.Objects;

/** What tests ask of the exceptions they expect. Stateless. */
public final class Thrown {
  private Thrown() {}

  /** The message of an exception, which must have one. */
  public static String message(Throwable thrown) {
    return Objects.requireNonNull(
        thrown.getMessage(), () -> thrown.getClass().getName() + " has no message");
  }
}
