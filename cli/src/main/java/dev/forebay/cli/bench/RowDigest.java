package dev.forebay.cli.bench;

import dev.forebay.Batch;
import dev.forebay.memory.Field;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A digest over all bytes delivered, in order, that can be stopped after any row and gone on with:
 * a chain with one link per row.
 *
 * <pre>{@code
 * digest(0)     = 32 zero bytes
 * digest(n + 1) = SHA-256(digest(n), then for each field in the schema's order:
 *                         the number of bytes as a little-endian 64-bit integer, the bytes)
 * }</pre>
 *
 * <p>So it does not depend on where batches end. Confined to one thread.
 */
final class RowDigest {
  private static final int BYTES = 32;

  private final MessageDigest sha256;
  private final ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
  private byte[] state;

  private RowDigest(byte[] state) {
    this.state = state;
    try {
      this.sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** The digest of nothing. */
  static RowDigest empty() {
    return new RowDigest(new byte[BYTES]);
  }

  /**
   * Goes on where another one was.
   *
   * @param hex what {@link #hex} gave
   */
  static RowDigest resume(String hex) {
    byte[] state = HexFormat.of().parseHex(hex);
    if (state.length != BYTES) {
      throw new IllegalArgumentException("a digest has " + 2 * BYTES + " digits, not " + hex);
    }
    return new RowDigest(state);
  }

  /** Adds the rows of a batch. */
  void add(Batch batch) {
    for (int row = 0; row < batch.size(); row++) {
      sha256.update(state);
      for (Field field : batch.schema().fields()) {
        MemorySegment value = batch.value(field.name(), row);
        length.clear().putLong(value.byteSize());
        sha256.update(length.array());
        sha256.update(value.asByteBuffer());
      }
      state = sha256.digest();
    }
  }

  /** 64 hexadecimal digits. */
  String hex() {
    return HexFormat.of().formatHex(state);
  }
}
