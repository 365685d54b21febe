/**
 * Makes data sets that load faster out of others. Entry point: {@link
 * dev.forebay.cli.pack.JpegPacking}; used by the commands only.
 */
@NullMarked
package dev.forebay.cli.pack;

import org.jspecify.annotations.NullMarked;
