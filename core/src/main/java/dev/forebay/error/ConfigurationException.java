package dev.forebay.error;

/**
 * A dataset, recipe or saved state cannot be used as it is: a folder without images, an unknown
 * key, a state that belongs to another dataset.
 */
public final class ConfigurationException extends ForebayException {
  private static final long serialVersionUID = 1L;

  /** Says what was wrong, where, what was expected, and what to do. */
  public ConfigurationException(String message) {
    super(message, null);
  }

  /** Says what was wrong and keeps the original error. */
  public ConfigurationException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public Advice advice() {
    return Advice.FATAL;
  }
}
