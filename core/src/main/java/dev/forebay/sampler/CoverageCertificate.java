package dev.forebay.sampler;

import java.util.Objects;
import java.util.StringJoiner;

/**
 * What was delivered, as a digest that does not depend on the order: proof that an epoch gave every
 * sample exactly once. Certificates add up over ranks, over a stop and a resume, and over a change
 * of the world's size. Immutable.
 *
 * <p>Neither seed nor epoch nor dataset is part of the digest: every full pass over n samples has
 * the digest of {@link #expected(long)}, which anyone can compute, in any language, and compare by
 * eye. A digest holds two 64-bit sums of differently mixed ids, so accidents pass unseen with a
 * probability of 2^-128, and a single lost, doubled or exchanged sample never does. It is no
 * protection against someone who wants to deceive. {@code docs/determinism.md} specifies it.
 *
 * @param delivered the samples delivered where the order has them
 * @param padding the samples repeated so that all ranks get equally many
 * @param skipped the samples that the order has but that were left out as bad
 * @param substituted the samples that the order has but in whose place another was delivered
 * @param standIns the samples delivered in the place of those
 */
public record CoverageCertificate(
    IdDigest delivered,
    IdDigest padding,
    IdDigest skipped,
    IdDigest substituted,
    IdDigest standIns) {
  /** Nothing delivered. */
  public static final CoverageCertificate EMPTY =
      new CoverageCertificate(
          IdDigest.EMPTY, IdDigest.EMPTY, IdDigest.EMPTY, IdDigest.EMPTY, IdDigest.EMPTY);

  /** Checks that all parts are there. */
  public CoverageCertificate {
    Objects.requireNonNull(delivered, "delivered");
    Objects.requireNonNull(padding, "padding");
    Objects.requireNonNull(skipped, "skipped");
    Objects.requireNonNull(substituted, "substituted");
    Objects.requireNonNull(standIns, "standIns");
  }

  /** The certificate of a faultless pass over a whole dataset; takes time proportional to it. */
  public static CoverageCertificate expected(long datasetSize) {
    return expected(new SequentialOrder(datasetSize));
  }

  /**
   * The certificate of a faultless pass over an order, of all ranks or one; takes time proportional
   * to its size.
   */
  public static CoverageCertificate expected(EpochOrder order) {
    Coverage coverage = new Coverage();
    for (long position = 0; position < order.size(); position++) {
      if (order.isPadding(position)) {
        coverage.addPadding(order.at(position));
      } else {
        coverage.add(order.at(position));
      }
    }
    return coverage.certificate();
  }

  /** The certificate of a faultless pass over an epoch's batches, of all ranks or one. */
  public static CoverageCertificate expected(EpochBatches batches, int batchSizeMax) {
    Coverage coverage = new Coverage();
    long[] ids = new long[batchSizeMax];
    for (long batch = 0; batch < batches.count(); batch++) {
      int size = batches.fill(batch, ids);
      for (int row = 0; row < size; row++) {
        if (batches.isPadding(batch, row)) {
          coverage.addPadding(ids[row]);
        } else {
          coverage.add(ids[row]);
        }
      }
    }
    return coverage.certificate();
  }

  /** The certificate of both deliveries together. */
  public CoverageCertificate plus(CoverageCertificate other) {
    return new CoverageCertificate(
        delivered.plus(other.delivered),
        padding.plus(other.padding),
        skipped.plus(other.skipped),
        substituted.plus(other.substituted),
        standIns.plus(other.standIns));
  }

  /** The samples that are accounted for: delivered, skipped or substituted. */
  public IdDigest accounted() {
    return delivered.plus(skipped).plus(substituted);
  }

  /**
   * True if every sample that was to come is accounted for exactly once, and none that was not.
   * Padding does not matter.
   */
  public boolean covers(CoverageCertificate expected) {
    return accounted().equals(expected.accounted());
  }

  /** True if every sample that was to come, and no other, was itself delivered exactly once. */
  public boolean coversExactly(CoverageCertificate expected) {
    return covers(expected) && skipped.count() == 0 && substituted.count() == 0;
  }

  /**
   * One sentence for people, such as "rank 0 saw 50 of 50 samples, each exactly once".
   *
   * @param who whose certificate this is, such as "rank 0" or "the world"
   */
  public String sentence(String who, CoverageCertificate expected) {
    long wanted = expected.accounted().count();
    StringJoiner parts =
        new StringJoiner(", ", who + " saw " + delivered.count() + " of ", ending(expected));
    parts.add(wanted + (wanted == 1 ? " sample" : " samples"));
    addPart(parts, skipped, "skipped");
    addPart(parts, substituted, "substituted");
    addPart(parts, padding, "repeated as padding");
    return parts.toString();
  }

  private static void addPart(StringJoiner parts, IdDigest digest, String what) {
    if (digest.count() > 0) {
      parts.add(digest.count() + " " + what);
    }
  }

  private String ending(CoverageCertificate expected) {
    if (coversExactly(expected)) {
      return ", each exactly once";
    }
    if (covers(expected)) {
      return "; every sample is accounted for";
    }
    long missing = expected.accounted().count() - accounted().count();
    if (missing == 0) {
      return "; the count is right, but some are missing and others came twice";
    }
    return missing > 0 ? "; " + missing + " missing" : "; " + -missing + " too many";
  }

  /**
   * One word that {@link #parse} reads: the parts that are not empty, as {@code name=count:digest},
   * with commas between them; {@code none} if all are empty.
   */
  @Override
  public String toString() {
    return CoverageText.format(this);
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static CoverageCertificate parse(String text) {
    return CoverageText.parse(text);
  }
}
