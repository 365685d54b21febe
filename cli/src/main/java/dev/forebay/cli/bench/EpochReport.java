package dev.forebay.cli.bench;

import dev.forebay.sampler.CoverageCertificate;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of one epoch.
 *
 * @param epoch 0-based
 * @param who whose part it is, such as "rank 0"
 * @param certificate what was delivered, an earlier run's part included where it is known
 * @param expected what a complete epoch, or its rest where the earlier part is not known, is
 * @param isWhole whether {@code expected} is the whole epoch
 * @param isStopped whether the run ended within the epoch
 * @param digest over the bytes, or null if it was not asked for
 */
public record EpochReport(
    long epoch,
    String who,
    CoverageCertificate certificate,
    CoverageCertificate expected,
    boolean isWhole,
    boolean isStopped,
    @Nullable String digest) {

  /** Whether every sample that was to come is accounted for. */
  boolean isComplete() {
    return certificate.covers(expected);
  }

  /** One line for people. */
  String text() {
    return "epoch %d: %s%s%s"
        .formatted(
            epoch,
            isStopped ? "stopped early, " : "",
            certificate.sentence(who, expected),
            isWhole ? "" : " (of what was left of the epoch)");
  }

  /** For JSON. */
  Map<String, Object> plain() {
    Map<String, Object> plain = new LinkedHashMap<>();
    plain.put("epoch", epoch);
    plain.put("complete", isComplete());
    plain.put("exact", certificate.coversExactly(expected));
    plain.put("whole_epoch", isWhole);
    plain.put("certificate", certificate.toString());
    plain.put("expected", expected.toString());
    plain.put("text", text());
    return plain;
  }
}
