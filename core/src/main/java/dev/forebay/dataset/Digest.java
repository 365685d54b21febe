package dev.forebay.dataset;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Makes fingerprints: SHA-256 over the parts that identify a dataset, cut to 128 bits. Texts and
 * memory are preceded by their length and numbers have 8 little-endian bytes, so different parts
 * never run into the same bytes. Confined to its thread.
 */
final class Digest {
  private static final int DIGITS = 32;
  private static final long PIECE_BYTES = 1 << 20;

  private final String kind;
  private final MessageDigest digest;
  private final ByteBuffer number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);

  /** A digest of nothing yet, for the given kind of dataset. */
  Digest(String kind) {
    this.kind = kind;
    try {
      this.digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
    text(kind);
  }

  /** Adds a text. */
  Digest text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    number(utf8.length);
    digest.update(utf8);
    return this;
  }

  /** Adds a number. */
  Digest number(long value) {
    digest.update(number.clear().putLong(value).flip());
    return this;
  }

  /** Adds the content of memory. */
  Digest memory(MemorySegment segment) {
    number(segment.byteSize());
    for (long done = 0; done < segment.byteSize(); done += PIECE_BYTES) {
      long piece = Math.min(PIECE_BYTES, segment.byteSize() - done);
      digest.update(segment.asSlice(done, piece).asByteBuffer());
    }
    return this;
  }

  /** The fingerprint: the kind, a hyphen and 32 hexadecimal digits. Ends this digest's use. */
  String fingerprint() {
    return kind + "-" + HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
  }
}
