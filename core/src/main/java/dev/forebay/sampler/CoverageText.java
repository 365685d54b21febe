package dev.forebay.sampler;

import java.util.Arrays;
import java.util.StringJoiner;

/** The textual form of a {@link CoverageCertificate}. */
final class CoverageText {
  /** The names of the parts, in the order of the record's components. */
  private static final String[] PARTS = {
    "delivered", "padding", "skipped", "substituted", "standIns"
  };

  private CoverageText() {}

  static String format(CoverageCertificate certificate) {
    IdDigest[] digests = {
      certificate.delivered(),
      certificate.padding(),
      certificate.skipped(),
      certificate.substituted(),
      certificate.standIns()
    };
    StringJoiner text = new StringJoiner(",").setEmptyValue("none");
    for (int part = 0; part < PARTS.length; part++) {
      if (!digests[part].equals(IdDigest.EMPTY)) {
        text.add(PARTS[part] + "=" + digests[part]);
      }
    }
    return text.toString();
  }

  static CoverageCertificate parse(String text) {
    IdDigest[] digests = new IdDigest[PARTS.length];
    Arrays.fill(digests, IdDigest.EMPTY);
    if (!text.equals("none")) {
      for (String entry : text.split(",", -1)) {
        parseEntry(entry, digests);
      }
    }
    return new CoverageCertificate(digests[0], digests[1], digests[2], digests[3], digests[4]);
  }

  private static void parseEntry(String entry, IdDigest[] digests) {
    int equals = entry.indexOf('=');
    int part = Arrays.asList(PARTS).indexOf(equals < 0 ? entry : entry.substring(0, equals));
    if (equals < 0 || part < 0 || !digests[part].equals(IdDigest.EMPTY)) {
      throw new IllegalArgumentException(
          "\""
              + entry
              + "\" has no place in a coverage certificate; expected each once at most: "
              + String.join(", ", PARTS));
    }
    digests[part] = IdDigest.parse(entry.substring(equals + 1));
  }
}
