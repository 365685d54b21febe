package dev.forebay.memory;

/**
 * The type of one element of a value. All values are little-endian in memory; names are those of
 * NumPy and PyTorch.
 */
public enum DType {
  BOOL("bool", 1),
  UINT8("uint8", 1),
  INT8("int8", 1),
  UINT16("uint16", 2),
  INT16("int16", 2),
  UINT32("uint32", 4),
  INT32("int32", 4),
  INT64("int64", 8),
  /** IEEE 754 binary16. */
  FLOAT16("float16", 2),
  /** The upper 16 bits of a binary32, rounded to nearest even. */
  BFLOAT16("bfloat16", 2),
  FLOAT32("float32", 4),
  FLOAT64("float64", 8);

  private final String label;
  private final int bytes;

  DType(String label, int bytes) {
    this.label = label;
    this.bytes = bytes;
  }

  /** The name as NumPy and PyTorch spell it. */
  public String label() {
    return label;
  }

  /** The size of one element in bytes: 1, 2, 4 or 8. */
  public int bytes() {
    return bytes;
  }
}
