package dev.forebay.error;

import org.jspecify.annotations.Nullable;

/**
 * The root of all errors that Forebay throws on purpose. Unchecked; immutable after construction.
 *
 * <p>A message says what was wrong, where, and what to do. Errors in how the API is called stay
 * {@link IllegalArgumentException}, {@link IllegalStateException} or {@link NullPointerException}.
 */
public abstract class ForebayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What the caller can do about an error. */
  public enum Advice {
    /** The same call may succeed later. */
    RETRY,
    /**
     * Only one sample is affected; the policies {@code skip} and {@code substitute} apply to it.
     */
    SKIP_SAMPLE,
    /** The epoch cannot be completed; the loader can be built anew from its last state. */
    FAIL_EPOCH,
    /** The process or the configuration is at fault; trying again will not help. */
    FATAL
  }

  ForebayException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** What the caller can do. */
  public abstract Advice advice();
}
