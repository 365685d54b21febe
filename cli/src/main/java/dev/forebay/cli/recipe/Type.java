package dev.forebay.cli.recipe;

/** What a value of a recipe may be. Immutable. */
interface Type {
  /**
   * The value.
   *
   * @param path where the node is in the tree
   * @throws RecipeProblem if the node is something else
   */
  Object read(Node node, String path);

  /** What is expected, as it follows the words "expected". */
  String expected();

  /** A value that {@link #read} gave, as a map, list, number, flag or text. */
  default Object plain(Object value) {
    return value;
  }

  /** The problem that a node is not what is expected. */
  default RecipeProblem mismatch(Node node, String path) {
    return new RecipeProblem(
        node.position(), path, "expected " + expected() + ", found " + node.description());
  }
}
