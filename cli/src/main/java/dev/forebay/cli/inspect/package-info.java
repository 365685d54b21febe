/** {@code forebay inspect}: finds out what a folder or a recipe's dataset holds. */
@NullMarked
package dev.forebay.cli.inspect;

import org.jspecify.annotations.NullMarked;
