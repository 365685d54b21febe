package dev.forebay.cli.recipe;

import dev.forebay.pipeline.SkipBudget;

/** How many bad samples are tolerated: a count such as 100, or a share such as 1% or 0.01. */
final class SkipBudgetType implements Type {
  /** Where nothing is said: one in a hundred. */
  static final SkipBudget DEFAULT = SkipBudget.rate(0.01);

  private static final Type COUNT = Types.whole(0, Types.UNBOUNDED);
  private static final Type SHARE = Types.real(0, 1);
  private static final Type PERCENT = Types.real(0, 100);

  /** The budget of a policy. */
  static SkipBudget of(Settings policy) {
    return policy.value("budget", SkipBudget.class);
  }

  @Override
  public Object read(Node node, String path) {
    if (!(node instanceof Node.Scalar scalar)) {
      throw mismatch(node, path);
    }
    String text = scalar.text().strip();
    boolean isPercent = text.endsWith("%");
    boolean isShare = text.contains(".") || text.contains("e") || text.contains("E");
    try {
      if (isPercent) {
        String number = text.substring(0, text.length() - 1).strip();
        Node inner = new Node.Scalar(node.position(), Node.Scalar.Kind.NUMBER, number);
        return SkipBudget.rate((Double) PERCENT.read(inner, path) / 100);
      }
      return isShare
          ? SkipBudget.rate((Double) SHARE.read(node, path))
          : SkipBudget.count((Long) COUNT.read(node, path));
    } catch (RecipeProblem _) {
      throw mismatch(node, path);
    }
  }

  @Override
  public String expected() {
    return "a count such as 100, or a share such as 1% or 0.01";
  }

  @Override
  public Object plain(Object value) {
    SkipBudget budget = (SkipBudget) value;
    return budget.countMax() == Long.MAX_VALUE ? (Object) budget.rateMax() : budget.countMax();
  }
}
