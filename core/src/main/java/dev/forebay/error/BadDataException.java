package dev.forebay.error;

/**
 * The bytes of a sample are not what they should be. Thrown by datasets, decoders and transforms,
 * which know what is wrong but not which sample it is; the pipeline wraps it in a {@link
 * SampleException}.
 */
public final class BadDataException extends ForebayException {
  private static final long serialVersionUID = 1L;

  /** Says what is wrong, in words that help a person who looks at the file, without a full stop. */
  public BadDataException(String problem) {
    super(problem, null);
  }

  /** Says what is wrong and keeps the original error. */
  public BadDataException(String problem, Throwable cause) {
    super(problem, cause);
  }

  @Override
  public Advice advice() {
    return Advice.SKIP_SAMPLE;
  }
}
