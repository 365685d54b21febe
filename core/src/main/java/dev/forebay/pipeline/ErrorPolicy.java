package dev.forebay.pipeline;

import java.util.Objects;

/**
 * What becomes of a sample that cannot be delivered.
 *
 * @param action what to do
 * @param budget how often; without meaning for {@link Action#FAIL}
 */
public record ErrorPolicy(Action action, SkipBudget budget) {
  /** What to do with a bad sample. */
  public enum Action {
    /** The batch that holds it raises the error, when its turn comes. */
    FAIL,
    /** The batch goes without it and is shorter. */
    SKIP,
    /** Another sample of the dataset takes its place, chosen by seed, epoch and sample alone. */
    SUBSTITUTE
  }

  /** Checks the parts. */
  public ErrorPolicy {
    Objects.requireNonNull(action, "action");
    Objects.requireNonNull(budget, "budget");
  }

  /** Raise the error. */
  public static ErrorPolicy fail() {
    return new ErrorPolicy(Action.FAIL, SkipBudget.count(0));
  }

  /** Leave bad samples out, within a budget. */
  public static ErrorPolicy skip(SkipBudget budget) {
    return new ErrorPolicy(Action.SKIP, budget);
  }

  /** Replace bad samples, within a budget. */
  public static ErrorPolicy substitute(SkipBudget budget) {
    return new ErrorPolicy(Action.SUBSTITUTE, budget);
  }
}
