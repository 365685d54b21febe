package dev.forebay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
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
}
