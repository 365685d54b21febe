package dev.forebay.sampler;

/**
 * Adds up what is delivered into a {@link CoverageCertificate}. Confined to one thread at a time;
 * nothing here allocates but {@link #certificate}.
 *
 * <p>Every position of an order that is not padding must be told exactly once: with {@link #add},
 * {@link #addSkipped} or {@link #addSubstituted}. Padding that is skipped is not told at all.
 */
public final class Coverage {
  private final Sum delivered = new Sum();
  private final Sum padding = new Sum();
  private final Sum skipped = new Sum();
  private final Sum substituted = new Sum();
  private final Sum standIns = new Sum();

  /** A sample was delivered where the order has it. */
  public void add(long id) {
    delivered.add(id);
  }

  /** A sample was delivered once more as padding. */
  public void addPadding(long id) {
    padding.add(id);
  }

  /** A sample was left out. */
  public void addSkipped(long id) {
    skipped.add(id);
  }

  /** Sample {@code deliveredId} was delivered in the place of sample {@code wantedId}. */
  public void addSubstituted(long wantedId, long deliveredId) {
    substituted.add(wantedId);
    standIns.add(deliveredId);
  }

  /** Adds all that a certificate says, of a run that this one continues for example. */
  public void add(CoverageCertificate certificate) {
    delivered.add(certificate.delivered());
    padding.add(certificate.padding());
    skipped.add(certificate.skipped());
    substituted.add(certificate.substituted());
    standIns.add(certificate.standIns());
  }

  /** Begins anew. */
  public void clear() {
    delivered.clear();
    padding.clear();
    skipped.clear();
    substituted.clear();
    standIns.clear();
  }

  /** What was added so far. */
  public CoverageCertificate certificate() {
    return new CoverageCertificate(
        delivered.digest(),
        padding.digest(),
        skipped.digest(),
        substituted.digest(),
        standIns.digest());
  }

  /** An {@link IdDigest} that grows. */
  private static final class Sum {
    private long count;
    private long high;
    private long low;

    void add(long id) {
      long first = IdDigest.first(id);
      count++;
      high += first;
      low += IdDigest.second(first);
    }

    void add(IdDigest digest) {
      count += digest.count();
      high += digest.high();
      low += digest.low();
    }

    void clear() {
      count = 0;
      high = 0;
      low = 0;
    }

    IdDigest digest() {
      return new IdDigest(count, high, low);
    }
  }
}
