package dev.forebay.cli.recipe;

/**
 * Something is wrong at a place in a recipe. Never leaves this package: {@link Recipe} adds the
 * file's name.
 */
final class RecipeProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Position position;

  /**
   * Says what is wrong.
   *
   * @param path where in the tree, such as {@code transforms[1].resize.size}; empty for the whole
   */
  RecipeProblem(Position position, String path, String problem) {
    super(path.isEmpty() ? problem : path + ": " + problem);
    this.position = position;
  }

  Position position() {
    return position;
  }
}
