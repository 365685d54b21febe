package dev.forebay.image;

/** The order of a batch's axes: N the sample, C the channel, H the row, W the column. */
public enum Layout {
  /** One plane per channel, as PyTorch has it. */
  NCHW,
  /** All channels of a pixel side by side, as it is decoded. */
  NHWC
}
