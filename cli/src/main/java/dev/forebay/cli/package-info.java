/**
 * The commands that people type: {@link dev.forebay.cli.Main} is the program, {@code recipe} reads
 * the files that describe a loader.
 *
 * <p>Other modules add commands by {@link dev.forebay.cli.CliCommand}; nothing else uses this
 * package.
 */
@NullMarked
package dev.forebay.cli;

import org.jspecify.annotations.NullMarked;
