package dev.forebay.dataset;

import dev.forebay.error.BadDataException;
import dev.forebay.error.ConfigurationException;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Value;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * Windows of tokens out of a file of numbers, for language models: sample {@code i} is the window
 * that begins at token {@code i * stride}. The file is mapped into memory, not read. Immutable and
 * thread-safe.
 *
 * <p>Two kinds of files are known, both little-endian: plain numbers, as nanoGPT writes them
 * ({@code train.bin}); and those of Megatron-LM ({@code NAME.bin} beside {@code NAME.idx}), whose
 * documents are taken as one text, in the file's order.
 *
 * <p>Fields: {@code tokens}, int64 [window]; and, if wanted, {@code targets}, int64 [window]: the
 * same one token later.
 *
 * {@snippet :
 * Dataset text = TokenDataset.builder(Path.of("train.bin")).window(1024).targets(true).open();
 * }
 */
public final class TokenDataset implements Dataset {
  private static final int BLOCKS = 64;
  private static final long BLOCK_BYTES = 4096;

  private final Path file;
  private final Arena arena;
  private final MemorySegment memory;
  private final TokenType type;
  private final int window;
  private final long stride;
  private final boolean hasTargets;
  private final long size;
  private final Schema schema;
  private final String fingerprint;

  private TokenDataset(Builder builder, TokenType type, Arena arena, MemorySegment memory) {
    this.file = builder.file;
    this.arena = arena;
    this.memory = memory;
    this.type = type;
    this.window = builder.window;
    this.stride = builder.stride == 0 ? builder.window : builder.stride;
    this.hasTargets = builder.hasTargets;
    long tokens = memory.byteSize() / type.bytes();
    long needed = window + (hasTargets ? 1L : 0);
    this.size = tokens < needed ? 0 : (tokens - needed) / stride + 1;
    Field field = Field.tensor("tokens", DType.INT64, Shape.of(window));
    Field target = Field.tensor("targets", DType.INT64, Shape.of(window));
    this.schema = hasTargets ? Schema.of(field, target) : Schema.of(field);
    this.fingerprint = digest(memory).number(window).number(stride).fingerprint();
  }

  /** Begins the description of a dataset over a file, or over {@code NAME.bin} of a pair. */
  public static Builder builder(Path file) {
    return new Builder(Objects.requireNonNull(file, "file"));
  }

  /** Hashing gigabytes would take seconds, so some blocks stand for the whole. */
  private Digest digest(MemorySegment memory) {
    Digest digest = new Digest("tokens").text(type.name()).number(memory.byteSize());
    long step = Math.max(BLOCK_BYTES, memory.byteSize() / BLOCKS);
    for (long at = 0; at < memory.byteSize(); at += step) {
      digest.memory(memory.asSlice(at, Math.min(BLOCK_BYTES, memory.byteSize() - at)));
    }
    return digest.number(hasTargets ? 1 : 0);
  }

  @Override
  public long size() {
    return size;
  }

  /** The number of tokens in the file. */
  public long tokens() {
    return memory.byteSize() / type.bytes();
  }

  /**
   * Covers the file's size and type, 64 blocks spread over its content, and the windows' size and
   * distance.
   */
  @Override
  public String fingerprint() {
    return fingerprint;
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public void load(long id, Sample sample) {
    long first = Objects.checkIndex(id, size) * stride;
    try {
      put(first, sample.value(0));
      if (hasTargets) {
        put(first + 1, sample.value(1));
      }
    } catch (InternalError fault) {
      // So the JVM reports memory whose file has no such page any more.
      throw new BadDataException(
          "the file was cut short while it was in use: " + describe(id), fault);
    }
  }

  private void put(long first, Value value) {
    MemorySegment place = value.write(DType.INT64, window);
    type.widen(memory, first * type.bytes(), place, value.offset(), window);
  }

  @Override
  public String describe(long id) {
    return "%s, tokens %d to %d".formatted(file, id * stride, id * stride + window - 1);
  }

  /** Unmaps the file. */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      arena.close();
    }
  }

  /** Describes windows over a file. Not thread-safe. */
  public static final class Builder {
    private final Path file;
    private DType dtype = DType.UINT16;
    private boolean isTypeSet;
    private int window = 1024;
    private long stride;
    private boolean hasTargets;

    private Builder(Path file) {
      this.file = file;
    }

    /**
     * The type of a token: UINT8, INT8, UINT16, INT16, UINT32, INT32 or INT64; default UINT16. A
     * Megatron index says it by itself.
     */
    public Builder dtype(DType dtype) {
      TokenType.of(dtype);
      this.dtype = dtype;
      this.isTypeSet = true;
      return this;
    }

    /** Tokens in a window, at least 1; default 1024. */
    public Builder window(int tokens) {
      if (tokens < 1) {
        throw new IllegalArgumentException("window=" + tokens + " must be >= 1");
      }
      this.window = tokens;
      return this;
    }

    /** Tokens from one window's begin to the next one's, at least 1; default: the window. */
    public Builder stride(long tokens) {
      if (tokens < 1) {
        throw new IllegalArgumentException("stride=" + tokens + " must be >= 1");
      }
      this.stride = tokens;
      return this;
    }

    /** Whether there is a second field with the tokens that follow each one; default false. */
    public Builder targets(boolean targets) {
      this.hasTargets = targets;
      return this;
    }

    /**
     * Opens the dataset, which must be closed.
     *
     * @throws ConfigurationException if the file is missing, or is not what it should be
     */
    @SuppressWarnings("MustBeClosedChecker") // the dataset closes its arena
    public TokenDataset open() {
      Path index = MegatronIndex.beside(file);
      Arena arena = Arena.ofShared();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
        TokenType type = Files.exists(index) ? indexed(index, channel.size()) : TokenType.of(dtype);
        if (channel.size() % type.bytes() != 0) {
          throw new ConfigurationException(
              "%s: %d bytes are not a whole number of %s tokens; is dtype right?"
                  .formatted(file, channel.size(), type.label()));
        }
        MemorySegment memory = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
        return new TokenDataset(this, type, arena, memory);
      } catch (NoSuchFileException e) {
        arena.close();
        throw new ConfigurationException(file + " does not exist", e);
      } catch (IOException e) {
        arena.close();
        throw new ConfigurationException(file + " cannot be read: " + e.getMessage(), e);
      } catch (Throwable failure) {
        arena.close();
        throw failure;
      }
    }

    private TokenType indexed(Path index, long bytes) throws IOException {
      TokenType type = MegatronIndex.read(index, bytes);
      if (isTypeSet && type != TokenType.of(dtype)) {
        throw new ConfigurationException(
            "%s says that tokens are %s, not %s; leave dtype out"
                .formatted(index, type.label(), dtype.label()));
      }
      return type;
    }
  }
}
