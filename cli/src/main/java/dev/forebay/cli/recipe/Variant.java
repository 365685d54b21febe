package dev.forebay.cli.recipe;

/**
 * One of several named things with its settings, as {@code resize: {size: 224}} is.
 *
 * @param name which
 * @param settings its keys
 */
record Variant(String name, Settings settings) {}
