package dev.forebay.image;

import java.lang.foreign.MemorySegment;

/**
 * Pixels in memory: uint8, the channels of a pixel side by side.
 *
 * @param offset where the first pixel is, in bytes
 * @param rowBytes the distance from one row to the next
 */
record Raster(
    MemorySegment segment, long offset, long rowBytes, int channels, int height, int width) {}
