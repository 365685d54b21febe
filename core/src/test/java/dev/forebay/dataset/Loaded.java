package dev.forebay.dataset;

import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.MemoryBudget;
import dev.forebay.memory.Schema;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Value;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Loads samples as the pipeline does, and says what they hold. */
final class Loaded {
  private Loaded() {}

  /** The fields of a sample, each as {@code dtype[shape]: elements}, or as its text. */
  static List<String> sample(Dataset dataset, long id) throws IOException {
    Schema schema = dataset.schema();
    List<String> fields = new ArrayList<>();
    try (Sample sample = new Sample(schema, MemoryBudget.unlimited("sample"))) {
      sample.start(0, 0, id);
      dataset.load(id, sample);
      for (int slot = 0; slot < schema.size(); slot++) {
        fields.add(text(schema.field(slot), sample.value(slot)));
      }
    }
    return fields;
  }

  /** The only field, an {@code int64} scalar, of every sample. */
  static List<Long> numbers(Dataset dataset) throws IOException {
    List<Long> numbers = new ArrayList<>();
    for (long id = 0; id < dataset.size(); id++) {
      String text = sample(dataset, id).getFirst();
      numbers.add(Long.valueOf(text.substring("int64[]: ".length())));
    }
    return numbers;
  }

  /** The numbers {@code first} to {@code first + size - 1}. */
  static GeneratedDataset numbersFrom(long first, long size) {
    Schema schema = Schema.of(Field.scalar("number", DType.INT64));
    return GeneratedDataset.of(
        size, schema, "from " + first, (id, sample) -> sample.value(0).setLong(first + id));
  }

  private static String text(Field field, Value value) {
    if (field.kind() == Field.Kind.STRING) {
      byte[] utf8 =
          value.segment().asSlice(value.offset(), value.bytes()).toArray(ValueLayout.JAVA_BYTE);
      return new String(utf8, StandardCharsets.UTF_8);
    }
    List<String> elements = new ArrayList<>();
    for (long index = 0; index < value.elements(); index++) {
      elements.add(element(value, value.offset() + index * value.dtype().bytes()));
    }
    return value.dtype().label() + value.shape() + ": " + String.join(" ", elements);
  }

  private static String element(Value value, long at) {
    MemorySegment memory = value.segment();
    return switch (value.dtype()) {
      case BOOL, INT8 -> String.valueOf(memory.get(ValueLayout.JAVA_BYTE, at));
      case UINT8 -> String.valueOf(memory.get(ValueLayout.JAVA_BYTE, at) & 0xff);
      case INT16, FLOAT16, BFLOAT16 ->
          String.valueOf(memory.get(ValueLayout.JAVA_SHORT_UNALIGNED, at));
      case UINT16 -> String.valueOf((int) memory.get(ValueLayout.JAVA_CHAR_UNALIGNED, at));
      case INT32, UINT32 -> String.valueOf(memory.get(ValueLayout.JAVA_INT_UNALIGNED, at));
      case INT64 -> String.valueOf(memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
      case FLOAT32 -> String.valueOf(memory.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at));
      case FLOAT64 -> String.valueOf(memory.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at));
    };
  }
}
