package dev.forebay.storage;

/**
 * What the file system says about a file or directory, symbolic links followed. Immutable.
 *
 * @param isDirectory whether it is a directory
 * @param identity equal for two paths exactly if they lead to the same file; compare it only with
 *     others taken in the same run
 * @param bytes the size; of no meaning for a directory
 * @param modifiedNanos when its content changed last, for a directory: when an entry was added,
 *     removed or renamed; nanoseconds since 1970 by the file system's clock
 * @param changedNanos when content or status changed last, which no program can set back; equal to
 *     {@code modifiedNanos} where the file system does not keep it
 */
public record FileStatus(
    boolean isDirectory, String identity, long bytes, long modifiedNanos, long changedNanos) {}
