package dev.forebay.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The loader as a whole cannot go on: a worker died, a wait timed out, a budget is used up. */
public final class LoaderException extends ForebayException {
  private static final long serialVersionUID = 1L;

  private final Advice advice;

  /** Says what happened and what to do about it. */
  public LoaderException(Advice advice, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.advice = Objects.requireNonNull(advice, "advice");
  }

  @Override
  public Advice advice() {
    return advice;
  }
}
