package dev.forebay.bench;

/**
 * What one run of one contender showed.
 *
 * @param rate samples per second
 * @param cpuSeconds of all its processes, for 1,000 samples
 * @param firstBatchSeconds from asking the loader to the first batch
 * @param startSeconds from the process's start to its end, less what was measured: a bound on the
 *     time it takes to get going
 * @param memoryBytes the highest sum of its processes' proportional set sizes
 * @param version what ran
 */
record Measurement(
    double rate,
    double cpuSeconds,
    double firstBatchSeconds,
    double startSeconds,
    double memoryBytes,
    String version) {}
