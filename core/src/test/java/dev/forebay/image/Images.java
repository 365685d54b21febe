package dev.forebay.image;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Applies transforms to single images, outside a loader. */
final class Images {
  static final Schema FILE = Schema.of(Field.bytes("image"));
  static final Schema PIXELS =
      Schema.of(Field.tensor("image", DType.UINT8, Shape.of(Shape.UNKNOWN, Shape.UNKNOWN, 3)));

  private Images() {}

  /** A value as a test sees it. */
  static final class Array {
    private final DType dtype;
    private final Shape shape;
    private final byte[] bytes;

    Array(DType dtype, Shape shape, byte[] bytes) {
      this.dtype = dtype;
      this.shape = shape;
      this.bytes = bytes;
    }

    DType dtype() {
      return dtype;
    }

    Shape shape() {
      return shape;
    }

    byte[] bytes() {
      return bytes;
    }
  }

  /** Decodes a file. */
  static Array decode(DecodeImage decode, byte[] file) {
    try (Transform.Step step = decode.open(FILE)) {
      return decode(step, file);
    }
  }

  /** Decodes a file with a step that is open already. */
  static Array decode(Transform.Step step, byte[] file) {
    try (Sample sample = new Sample(FILE, MemoryBudget.unlimited("test"))) {
      sample.start(0, 0, 0);
      sample.value(0).setBytes(file);
      step.apply(sample);
      return arrayOf(sample.value(0));
    }
  }

  /** A copy of a value. */
  static Array arrayOf(Value value) {
    byte[] bytes = new byte[(int) value.bytes()];
    MemorySegment.copy(
        value.segment(), ValueLayout.JAVA_BYTE, value.offset(), bytes, 0, bytes.length);
    return new Array(value.dtype(), value.shape(), bytes);
  }

  /** A uint8 image as an array of that shape. */
  static Array image(int height, int width, int channels, byte[] bytes) {
    return new Array(DType.UINT8, Shape.of(height, width, channels), bytes);
  }

  /** What a transform makes of an image, for sample 0 of epoch 0 and seed 0. */
  static Array apply(Transform transform, Array image) {
    return apply(transform, image, 0, 0, 0);
  }

  /** What a transform makes of an image. */
  static Array apply(Transform transform, Array image, long seed, long epoch, long id) {
    return apply(transform, image, schema(image), new long[] {seed, epoch, id});
  }

  /** What a transform makes of an image that has another schema than most, in epoch 0, seed 0. */
  static Array apply(Transform transform, Array image, Schema schema, long id) {
    return apply(transform, image, schema, new long[] {0, 0, id});
  }

  private static Array apply(Transform transform, Array image, Schema schema, long[] key) {
    try (Transform.Step step = transform.open(schema);
        Sample sample = new Sample(schema, MemoryBudget.unlimited("test"))) {
      sample.start(key[0], key[1], key[2]);
      load(sample, image);
      step.apply(sample);
      return arrayOf(sample.value(0));
    }
  }

  /** The schema of images whose size varies. */
  static Schema schema(Array image) {
    Shape shape = Shape.of(Shape.UNKNOWN, Shape.UNKNOWN, image.shape().dim(2));
    return Schema.of(Field.tensor("image", image.dtype(), shape));
  }

  /** Makes the sample's first value an image. */
  static void load(Sample sample, Array image) {
    Value value = sample.value(0);
    MemorySegment place = value.write(image.dtype(), image.shape());
    byte[] bytes = image.bytes();
    MemorySegment.copy(bytes, 0, place, ValueLayout.JAVA_BYTE, value.offset(), bytes.length);
  }
}
