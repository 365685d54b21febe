package dev.forebay.image;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.forebay.Batch;
import dev.forebay.DataLoader;
import dev.forebay.dataset.ArrayDataset;
import dev.forebay.dataset.Dataset;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.memory.Tensor;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Transforms as a user writes them: the examples of docs/transforms.md. */
class UserTransformTest {
  private static final Transform INVERT =
      Transform.of(
          "invert",
          sample -> {
            Value image = sample.value("image");
            MemorySegment from = image.segment();
            long start = image.offset();
            long bytes = image.bytes();
            MemorySegment into = image.write(DType.UINT8, image.dim(0), image.dim(1), image.dim(2));
            for (long i = 0; i < bytes; i++) {
              into.set(JAVA_BYTE, image.offset() + i, (byte) ~from.get(JAVA_BYTE, start + i));
            }
          });

  /** Replaces an image by the mean of its values: another type and shape. */
  private record Mean(String field) implements Transform {
    @Override
    public Schema output(Schema input) {
      return input.with(input.slot(field), Field.scalar(field, DType.FLOAT32));
    }

    @Override
    public Step open(Schema input) {
      int slot = input.slot(field);
      return sample -> {
        Value value = sample.value(slot);
        long sum = 0;
        for (long i = 0; i < value.bytes(); i++) {
          sum += value.segment().get(JAVA_BYTE, value.offset() + i) & 0xFF;
        }
        float mean = sum / (float) value.bytes();
        MemorySegment place = value.writeScalar(DType.FLOAT32);
        place.set(ValueLayout.JAVA_FLOAT_UNALIGNED, value.offset(), mean);
      };
    }
  }

  private static Dataset dataset() {
    byte[] pixels = new byte[8 * 2 * 2 * 3];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) (i / 12);
    }
    return ArrayDataset.builder().field("image", pixels, 2, 2, 3).build();
  }

  @Test
  void lambdaAndClass_inALoader_changeValuesTypeAndShape() {
    try (DataLoader loader =
        DataLoader.builder(dataset())
            .batchSize(8)
            .workers(2)
            .transforms(List.of(INVERT, new Mean("image")))
            .build()) {
      for (Batch batch : loader) {
        Tensor means = batch.tensor("image");
        assertEquals(Shape.of(8), means.shape());
        for (int row = 0; row < 8; row++) {
          assertEquals(255 - row, means.doubleAt(row));
        }
      }
    }
  }
}
