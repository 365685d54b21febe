package dev.forebay.transform;

import dev.forebay.memory.Schema;
import dev.forebay.stats.Stage;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a step that changes a sample. Immutable and thread-safe; usually a record,
 * whose {@code toString} is its {@link #identity()}. Each worker {@linkplain #open opens} its own
 * {@link Step} from it, which does the work and holds the scratch memory.
 */
public interface Transform {

  /**
   * The schema after this step. Slots and names stay; types and shapes may change.
   *
   * @throws IllegalArgumentException if the input does not suit the step; the message says what it
   *     needs
   */
  Schema output(Schema input);

  /** A step for one worker, given the schema that enters it. */
  Step open(Schema input);

  /**
   * One step that does the work of this transform and of the first of those that follow it, if that
   * saves work: bit for bit what they do one by one, with the random numbers of each ({@link
   * Sample#startOperation}) and the stages told apart ({@link Sample#enter}).
   *
   * @param following the transforms behind this one, in order
   * @return null, the default, if they are to be opened one by one
   */
  default @Nullable Fusion fuse(Schema input, List<Transform> following) {
    return null;
  }

  /**
   * A step for several transforms.
   *
   * @param step for one worker
   * @param count how many transforms it stands for, at least 2; all write one and the same field
   */
  record Fusion(Step step, int count) {
    /** Checks the range. */
    public Fusion {
      Objects.requireNonNull(step, "step");
      if (count < 2) {
        throw new IllegalArgumentException("count=" + count + " must be >= 2");
      }
    }
  }

  /**
   * The name and all parameters, as text: two transforms with the same identity give the same
   * result on the same sample. Part of the recipe's fingerprint.
   */
  default String identity() {
    return toString();
  }

  /** True if the result depends on {@link Sample#random()}. */
  default boolean isRandom() {
    return false;
  }

  /** The stage that its time and errors count towards. */
  default Stage stage() {
    return Stage.TRANSFORM;
  }

  /**
   * The only field that it writes, or null if it may write any. The last step that writes a field
   * writes straight into the batch, which needs this to be known.
   */
  default @Nullable String writes() {
    return null;
  }

  /** A transform for one worker. Confined to that worker, which closes it. */
  interface Step extends AutoCloseable {
    /**
     * Changes the sample.
     *
     * @throws dev.forebay.error.BadDataException if the sample's data is at fault
     */
    void apply(Sample sample);

    @Override
    default void close() {}
  }

  /**
   * A user's own step, which keeps types and shapes.
   *
   * @param name names it in errors, statistics and the recipe's fingerprint; change it when the
   *     code changes its results
   * @param code called by several workers at once, so it must be thread-safe; random numbers come
   *     from {@link Sample#random()}
   */
  static Transform of(String name, Consumer<Sample> code) {
    return new CustomTransform(
        Objects.requireNonNull(name, "name"), Objects.requireNonNull(code, "code"));
  }
}
