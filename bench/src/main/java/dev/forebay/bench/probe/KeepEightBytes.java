package dev.forebay.bench.probe;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32;

/**
 * Looks at a sample as its reader must and keeps eight bytes of it, since what is measured is the
 * way up to here.
 *
 * @param isArchive whether it is a zip archive, whose checksum is compared, as NumPy does
 */
record KeepEightBytes(boolean isArchive) implements Transform {
  private static final long CRC = 14;
  private static final long BYTES = 22;
  private static final long NAME = 26;
  private static final long EXTRA = 28;
  private static final long HEADER_BYTES = 30;

  @Override
  public Schema output(Schema input) {
    return input.with(0, Field.scalar(input.field(0).name(), DType.INT64));
  }

  @Override
  public Step open(Schema input) {
    CRC32 crc = new CRC32();
    return sample -> apply(sample, crc);
  }

  private void apply(Sample sample, CRC32 crc) {
    Value value = sample.value(0);
    MemorySegment content = value.segment().asSlice(value.offset(), value.bytes());
    if (isArchive) {
      check(content, crc);
    }
    value.setLong(content.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
  }

  /** The archive's first entry, which is stored as it is. */
  private static void check(MemorySegment content, CRC32 crc) {
    long start =
        HEADER_BYTES
            + (content.get(ValueLayout.JAVA_SHORT_UNALIGNED, NAME) & 0xFFFF)
            + (content.get(ValueLayout.JAVA_SHORT_UNALIGNED, EXTRA) & 0xFFFF);
    long bytes = content.get(ValueLayout.JAVA_INT_UNALIGNED, BYTES) & 0xFFFFFFFFL;
    crc.reset();
    crc.update(content.asSlice(start, bytes).asByteBuffer());
    if ((int) crc.getValue() != content.get(ValueLayout.JAVA_INT_UNALIGNED, CRC)) {
      throw new BadDataException("the archive's checksum is wrong");
    }
  }
}
