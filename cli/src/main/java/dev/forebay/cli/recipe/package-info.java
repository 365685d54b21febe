/**
 * Recipes: files that describe a dataset, its order, its transforms and the loader. {@link
 * dev.forebay.cli.recipe.Recipe} reads them.
 *
 * <p>The text becomes a tree of {@code Node}s that know their place in the file. Tables of {@code
 * Key}s say what may stand where; from them come the checks, the defaults, the messages and the
 * resolved recipe.
 */
@NullMarked
package dev.forebay.cli.recipe;

import org.jspecify.annotations.NullMarked;
