/**
 * What all commands have in common: how they show progress, sizes and results, and what they do on
 * Ctrl-C. Uses nothing of the other packages of this module.
 */
@NullMarked
package dev.forebay.cli.console;

import org.jspecify.annotations.NullMarked;
