package dev.forebay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.memory.DType;
import dev.forebay.memory.Schema;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataLoaderTest {
  private static List<Long> numbers(DataLoader loader) {
    List<Long> numbers = new ArrayList<>();
    for (Batch batch : loader) {
      for (long number : batch.tensor("number").toLongs()) {
        numbers.add(number);
      }
    }
    return numbers;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7})
  void iterator_sequential_deliversEverySampleInOrder(int workers) {
    try (DataLoader loader =
        DataLoader.builder(NumbersDataset.of(1003)).batchSize(10).workers(workers).build()) {
      List<Long> expected = LongStream.range(0, 1003).boxed().toList();
      assertEquals(expected, numbers(loader));
      assertEquals(expected, numbers(loader));
      assertTrue(loader.certificate().covers(loader.expectedCertificate()));
      assertEquals(2 * 101, loader.stats().batches());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 7})
  void iterator_shuffled_hasTheSameOrderForAnyNumberOfWorkers(int workers) {
    try (DataLoader loader =
            DataLoader.builder(NumbersDataset.of(500))
                .batchSize(7)
                .shuffle(true)
                .seed(5)
                .workers(workers)
                .build();
        DataLoader reference =
            DataLoader.builder(NumbersDataset.of(500))
                .batchSize(7)
                .shuffle(true)
                .seed(5)
                .workers(0)
                .build()) {
      assertEquals(numbers(reference), numbers(loader));
      assertEquals(numbers(reference), numbers(loader));
    }
  }

  /** Adds one, and notes where it wrote each sample's result. */
  private record AddOne(AtomicLongArray addresses) implements Transform {
    static AddOne of(int samples) {
      return new AddOne(new AtomicLongArray(samples));
    }

    @Override
    public Schema output(Schema input) {
      return input;
    }

    @Override
    public Step open(Schema input) {
      return sample -> {
        Value value = sample.value(0);
        long number = value.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, value.offset());
        MemorySegment place = value.writeScalar(DType.INT64);
        place.set(ValueLayout.JAVA_LONG_UNALIGNED, value.offset(), number + 1);
        addresses.set((int) sample.id(), place.address() + value.offset());
      };
    }

    @Override
    public String writes() {
      return "number";
    }
  }

  /**
   * Promise P4: the consumer sees the very memory that the last transform wrote, and no other's.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void lastTransform_result_isWrittenWhereTheConsumerSeesIt(int workers) {
    AddOne first = AddOne.of(100);
    AddOne last = AddOne.of(100);
    try (DataLoader loader =
        DataLoader.builder(NumbersDataset.of(100))
            .batchSize(8)
            .shuffle(true)
            .epochs(1)
            .workers(workers)
            .transforms(List.of(first, last))
            .build()) {
      int rows = 0;
      for (Batch batch : loader) {
        MemorySegment column = batch.tensor("number").segment();
        for (int row = 0; row < batch.size(); row++, rows++) {
          int id = (int) batch.id(row);
          long address = column.address() + 8L * row;
          assertEquals(id + 2, column.getAtIndex(ValueLayout.JAVA_LONG, row));
          assertEquals(address, last.addresses.get(id));
          assertNotEquals(address, first.addresses.get(id));
        }
      }
      assertEquals(100, rows);
    }
  }
}
