package dev.forebay.djl.demo;

import ai.djl.ndarray.NDList;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;
import ai.djl.nn.Blocks;
import ai.djl.nn.SequentialBlock;
import ai.djl.nn.convolutional.Conv2d;
import ai.djl.nn.core.Linear;
import ai.djl.nn.norm.BatchNorm;
import ai.djl.nn.pooling.Pool;

/** The network that the demo trains: four convolutions, for pictures of 64 x 64. Stateless. */
final class Network {
  static final int SIZE = 64;

  /**
   * Multiples of 16: the vector kernels of PyTorch 2.7.1's oneDNN pad other numbers up to that, and
   * now and then gave NaN for 24 channels.
   */
  private static final int[] CHANNELS = {16, 32, 64, 64};

  private Network() {}

  static SequentialBlock of(int classes) {
    SequentialBlock network = new SequentialBlock();
    for (int layer = 0; layer < CHANNELS.length; layer++) {
      network
          .add(convolution(layer))
          .add(BatchNorm.builder().build())
          .add(Activation::relu)
          .add(Pool.maxPool2dBlock(new Shape(2, 2), new Shape(2, 2)));
    }
    return network
        .add(Pool.globalAvgPool2dBlock())
        .add(Blocks.batchFlattenBlock())
        .add(Linear.builder().setUnits(classes).build());
  }

  private static Conv2d convolution(int layer) {
    int kernel = layer == 0 ? 5 : 3;
    return Conv2d.builder()
        .setKernelShape(new Shape(kernel, kernel))
        .setFilters(CHANNELS[layer])
        .optPadding(new Shape(kernel / 2, kernel / 2))
        .optBias(false)
        .build();
  }

  /** The shape of a batch of pictures. */
  static Shape input(int batchSize) {
    return new Shape(batchSize, 3, SIZE, SIZE);
  }

  /** How many of a batch's pictures are given their class. */
  static long correct(NDList predictions, NDList labels) {
    return predictions
        .singletonOrThrow()
        .argMax(1)
        .eq(labels.singletonOrThrow())
        .toType(DataType.INT64, false)
        .sum()
        .getLong();
  }
}
