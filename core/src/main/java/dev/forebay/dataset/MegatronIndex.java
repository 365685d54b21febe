package dev.forebay.dataset;

import dev.forebay.error.ConfigurationException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * The header of Megatron-LM's index of a token file. Stateless.
 *
 * <pre>
 *   0 "MMIDIDX\0\0"   9 u64 version 1   17 u8 type   18 u64 sequences S   26 u64 documents D
 *  34 S times i32 length, then S times i64 offset in bytes, then D times i64 first sequence
 * </pre>
 *
 * <p>Source: Megatron-LM, {@code core/datasets/indexed_dataset.py}.
 */
final class MegatronIndex {
  private static final byte[] MAGIC = "MMIDIDX\0\0".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER_BYTES = 34;
  private static final int VERSION = 9;
  private static final int TYPE = 17;
  private static final int SEQUENCES = 18;
  private static final int DOCUMENTS = 26;

  private MegatronIndex() {}

  /** Where the index of {@code NAME.bin} would be. */
  static Path beside(Path file) {
    String name = Objects.requireNonNull(file.getFileName(), "file").toString();
    String stem = name.endsWith(".bin") ? name.substring(0, name.length() - 4) : name;
    return file.resolveSibling(stem + ".idx");
  }

  /**
   * The type of the tokens that an index is of.
   *
   * @param dataBytes the size of the file of tokens, which the index must cover
   */
  static TokenType read(Path index, long dataBytes) throws IOException {
    try (FileChannel channel = FileChannel.open(index, StandardOpenOption.READ)) {
      ByteBuffer header = read(channel, 0, HEADER_BYTES, index);
      for (int i = 0; i < MAGIC.length; i++) {
        if (header.get(i) != MAGIC[i]) {
          throw wrong(
              index, "it does not begin as Megatron-LM's do; move it away if it is not one");
        }
      }
      if (header.getLong(VERSION) != 1) {
        throw wrong(index, "version " + header.getLong(VERSION) + " is not known, only 1");
      }
      TokenType type = type(index, header.get(TYPE));
      long sequences = header.getLong(SEQUENCES);
      long documents = header.getLong(DOCUMENTS);
      if (sequences < 0
          || documents < 0
          || sequences > channel.size()
          || documents > channel.size()
          || HEADER_BYTES + 12 * sequences + 8 * documents != channel.size()) {
        throw wrong(
            index,
            "%d sequences and %d documents do not fit its %d bytes"
                .formatted(sequences, documents, channel.size()));
      }
      checkEnd(channel, index, sequences, type, dataBytes);
      return type;
    }
  }

  /** The last sequence ends where the data ends. */
  private static void checkEnd(
      FileChannel channel, Path index, long sequences, TokenType type, long dataBytes)
      throws IOException {
    long end = 0;
    if (sequences > 0) {
      long lengthAt = HEADER_BYTES + 4 * (sequences - 1);
      long offsetAt = HEADER_BYTES + 4 * sequences + 8 * (sequences - 1);
      long length = read(channel, lengthAt, Integer.BYTES, index).getInt(0);
      end = read(channel, offsetAt, Long.BYTES, index).getLong(0) + length * type.bytes();
    }
    if (end != dataBytes) {
      throw wrong(index, "it ends at byte %d, the tokens at %d".formatted(end, dataBytes));
    }
  }

  private static ByteBuffer read(FileChannel channel, long at, int bytes, Path index)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) {
        throw wrong(index, "it is cut short");
      }
    }
    return buffer;
  }

  private static TokenType type(Path index, byte code) {
    return switch (code) {
      case 1 -> TokenType.UINT8;
      case 2 -> TokenType.INT8;
      case 3 -> TokenType.INT16;
      case 4 -> TokenType.INT32;
      case 5 -> TokenType.INT64;
      case 8 -> TokenType.UINT16;
      default -> throw wrong(index, "type code " + code + " is none of whole numbers");
    };
  }

  private static ConfigurationException wrong(Path index, String what) {
    return new ConfigurationException("the token index " + index + " cannot be used: " + what);
  }
}
