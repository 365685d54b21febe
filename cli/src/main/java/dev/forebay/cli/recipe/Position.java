package dev.forebay.cli.recipe;

/**
 * A place in a file.
 *
 * @param line 1-based
 * @param column 1-based
 */
record Position(int line, int column) {
  @Override
  public String toString() {
    return line + ":" + column;
  }
}
