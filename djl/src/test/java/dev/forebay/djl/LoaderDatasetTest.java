package dev.forebay.djl;

import static dev.forebay.testing.Thrown.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.dataset.Batch;
import dev.forebay.DataLoader;
import dev.forebay.dataset.ArrayDataset;
import dev.forebay.dataset.Dataset;
import dev.forebay.image.ConvertImage;
import dev.forebay.image.Layout;
import dev.forebay.memory.DType;
import dev.forebay.memory.Tensor;
import dev.forebay.transform.Transform;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Batches in DJL's arrays, with the real PyTorch engine. */
class LoaderDatasetTest {
  private static final int SIZE = 50;
  private static final int PIXELS = 4 * 5 * 3;

  private static Dataset dataset() {
    byte[] images = new byte[SIZE * PIXELS];
    long[] labels = new long[SIZE];
    short[] shorts = new short[SIZE];
    for (int i = 0; i < images.length; i++) {
      images[i] = (byte) (i * 31);
    }
    for (int i = 0; i < SIZE; i++) {
      labels[i] = i;
    }
    return ArrayDataset.builder()
        .field("image", images, 4, 5, 3)
        .field("label", labels)
        .field("short", shorts)
        .build();
  }

  private static DataLoader loader(DType dtype, int workers) {
    List<Transform> transforms = List.of(ConvertImage.of(dtype, Layout.NCHW));
    return DataLoader.builder(dataset())
        .batchSize(8)
        .shuffle(true)
        .seed(4)
        .workers(workers)
        .transforms(transforms)
        .build();
  }

  private static LoaderDataset dataset(DataLoader loader, Handover handover) {
    return LoaderDataset.of(loader, List.of("image"), List.of("label"), handover);
  }

  @ParameterizedTest
  @EnumSource(Handover.class)
  void getData_epoch_hasTheLoadersNumbersInDjlsArrays(Handover handover) {
    try (NDManager manager = NDManager.newBaseManager();
        DataLoader ours = loader(DType.FLOAT32, 0);
        DataLoader theirs = loader(DType.FLOAT32, 2)) {
      List<float[]> images = new ArrayList<>();
      List<long[]> labels = new ArrayList<>();
      for (dev.forebay.Batch batch : ours) {
        images.add(batch.tensor("image").toFloats());
        labels.add(batch.tensor("label").toLongs());
      }
      int number = 0;
      for (Batch batch : dataset(theirs, handover).getData(manager)) {
        try (batch) {
          NDArray image = batch.getData().singletonOrThrow();
          assertEquals(new Shape(batch.getSize(), 3, 4, 5), image.getShape());
          assertArrayEquals(images.get(number), image.toFloatArray());
          assertArrayEquals(labels.get(number), batch.getLabels().get(0).toLongArray());
          assertEquals(number + 1, batch.getProgress());
          assertEquals(7, batch.getProgressTotal());
          number++;
        }
      }
      assertEquals(7, number);
    }
  }

  @Test
  void copiedArrays_afterTheirBatchWentBack_keepTheirNumbers() {
    try (NDManager manager = NDManager.newBaseManager();
        DataLoader loader = loader(DType.FLOAT32, 2)) {
      List<Batch> kept = new ArrayList<>();
      List<float[]> copies = new ArrayList<>();
      for (Batch batch : dataset(loader, Handover.COPY).getData(manager)) {
        kept.add(batch);
        copies.add(batch.getData().get(0).toFloatArray());
      }
      for (int i = 0; i < kept.size(); i++) {
        assertArrayEquals(copies.get(i), kept.get(i).getData().get(0).toFloatArray());
        kept.get(i).close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"BOOL", "UINT8", "INT8", "INT32", "INT64", "FLOAT16", "FLOAT32", "FLOAT64"})
  void array_typesThatPyTorchHas_areKept(DType dtype) {
    try (NDManager manager = NDManager.newBaseManager();
        Arena arena = Arena.ofConfined()) {
      MemorySegment segment = arena.allocate(6L * dtype.bytes(), 64);
      segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
      Tensor tensor = new Tensor(dtype, dev.forebay.memory.Shape.of(2, 3), segment);
      NDArray array = LoaderDataset.array(manager, tensor, Handover.COPY);
      segment.fill((byte) 0);
      assertEquals(new Shape(2, 3), array.getShape());
      String name = dtype == DType.BOOL ? "BOOLEAN" : dtype.name();
      assertEquals(DataType.valueOf(name), array.getDataType());
      assertEquals(1, array.toByteBuffer().get(0));
    }
  }

  @Test
  void fields_thatCannotBe_areRefusedAtOnce() {
    try (DataLoader loader = loader(DType.FLOAT32, 1);
        DataLoader bfloat = loader(DType.BFLOAT16, 1)) {
      assertFails(
          IllegalArgumentException.class,
          "INT16",
          () -> LoaderDataset.of(loader, List.of("short"), List.of(), Handover.COPY));
      assertFails(IllegalArgumentException.class, "BFLOAT16", () -> dataset(bfloat, Handover.COPY));
      assertFails(
          IllegalArgumentException.class,
          "there are [image, label, short]",
          () -> LoaderDataset.of(loader, List.of("picture"), List.of(), Handover.COPY));
    }
  }
}
