package dev.forebay.error;

import dev.forebay.stats.Stage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One sample could not be delivered: its bytes are missing, unreadable or corrupt, or a transform
 * failed on it.
 */
public final class SampleException extends ForebayException {
  private static final long serialVersionUID = 1L;

  private final long sample;
  private final String location;
  private final Stage stage;

  /**
   * Describes the failure of one sample.
   *
   * @param sample the sample's id in the dataset, 0-based; negative where it is not known
   * @param location the object and, where it applies, the byte range, as a person would look it up
   * @param stage where it happened
   * @param problem what was wrong, without a full stop
   * @param cause the original error, if there is one
   */
  public SampleException(
      long sample, String location, Stage stage, String problem, @Nullable Throwable cause) {
    super(message(sample, location, stage, problem), cause);
    this.sample = sample;
    this.location = Objects.requireNonNull(location, "location");
    this.stage = Objects.requireNonNull(stage, "stage");
  }

  private static String message(long sample, String location, Stage stage, String problem) {
    return problem
        + " [sample="
        + sample
        + " object="
        + location
        + " stage="
        + stage.label()
        + "]; repair or remove the object, or set on_error to skip or substitute";
  }

  /** The sample's id in the dataset, 0-based; negative where it is not known. */
  public long sample() {
    return sample;
  }

  /** The object and byte range that the sample comes from. */
  public String location() {
    return location;
  }

  /** Where the failure happened. */
  public Stage stage() {
    return stage;
  }

  @Override
  public Advice advice() {
    return Advice.SKIP_SAMPLE;
  }
}
