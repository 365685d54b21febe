package dev.forebay.dataset;

import dev.forebay.memory.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The types of tokens in files, and how each becomes int64. */
enum TokenType {
  UINT8(DType.UINT8),
  INT8(DType.INT8),
  UINT16(DType.UINT16),
  INT16(DType.INT16),
  UINT32(DType.UINT32),
  INT32(DType.INT32),
  INT64(DType.INT64);

  private static final ValueLayout.OfLong OUT = ValueLayout.JAVA_LONG_UNALIGNED;

  private final DType dtype;

  TokenType(DType dtype) {
    this.dtype = dtype;
  }

  /** The type of that name; fails for floating types and truth values. */
  static TokenType of(DType dtype) {
    for (TokenType type : values()) {
      if (type.dtype == dtype) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        "dtype=" + dtype.label() + " is no type of tokens; uint16 or uint32 are usual");
  }

  String label() {
    return dtype.label();
  }

  long bytes() {
    return dtype.bytes();
  }

  /** Copies numbers, each a loop of its own, so that the compiler makes vector instructions. */
  void widen(MemorySegment from, long at, MemorySegment into, long place, int count) {
    switch (this) {
      case UINT8 -> {
        for (int i = 0; i < count; i++) {
          into.set(OUT, place + 8L * i, from.get(ValueLayout.JAVA_BYTE, at + i) & 0xFFL);
        }
      }
      case INT8 -> {
        for (int i = 0; i < count; i++) {
          into.set(OUT, place + 8L * i, from.get(ValueLayout.JAVA_BYTE, at + i));
        }
      }
      case UINT16 -> widenUint16(from, at, into, place, count);
      case INT16 -> {
        for (int i = 0; i < count; i++) {
          into.set(OUT, place + 8L * i, from.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + 2L * i));
        }
      }
      case UINT32 -> widenUint32(from, at, into, place, count);
      case INT32 -> {
        for (int i = 0; i < count; i++) {
          into.set(OUT, place + 8L * i, from.get(ValueLayout.JAVA_INT_UNALIGNED, at + 4L * i));
        }
      }
      case INT64 -> MemorySegment.copy(from, at, into, place, 8L * count);
    }
  }

  private static void widenUint16(
      MemorySegment from, long at, MemorySegment into, long place, int count) {
    for (int i = 0; i < count; i++) {
      int token = from.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + 2L * i) & 0xFFFF;
      into.set(OUT, place + 8L * i, token);
    }
  }

  private static void widenUint32(
      MemorySegment from, long at, MemorySegment into, long place, int count) {
    for (int i = 0; i < count; i++) {
      long token = from.get(ValueLayout.JAVA_INT_UNALIGNED, at + 4L * i) & 0xFFFF_FFFFL;
      into.set(OUT, place + 8L * i, token);
    }
  }
}
