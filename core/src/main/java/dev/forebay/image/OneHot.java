package dev.forebay.image;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.transform.Transform;
import dev.forebay.transform.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Makes a class's number a vector of probabilities: float32 of shape [classes], 1 at the class and
 * 0 elsewhere. Mixing transforms need labels in this form.
 *
 * @param classes the number of classes, at least 1
 * @param field the label's field, an int64 scalar
 */
public record OneHot(int classes, String field) implements Transform {
  /** Checks the number. */
  public OneHot {
    ImageField.check(classes >= 1, "classes", classes, ">= 1");
    Objects.requireNonNull(field, "field");
  }

  /** For the field "label". */
  public static OneHot of(int classes) {
    return new OneHot(classes, "label");
  }

  @Override
  public Schema output(Schema input) {
    int slot = input.slot(field);
    Field label = input.field(slot);
    if (label.dtype() != DType.INT64 || label.shape().rank() != 0) {
      throw new IllegalArgumentException(
          "one_hot needs an int64 number in field '%s', not %s%s"
              .formatted(field, label.dtype(), label.shape()));
    }
    return input.with(slot, Field.tensor(field, DType.FLOAT32, Shape.of(classes)));
  }

  @Override
  public Step open(Schema input) {
    int slot = input.slot(field);
    return sample -> apply(sample.value(slot));
  }

  private void apply(Value value) {
    long label = value.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, value.offset());
    if (label < 0 || label >= classes) {
      throw new BadDataException(
          "label %d is not one of the %d classes, 0 to %d".formatted(label, classes, classes - 1));
    }
    MemorySegment place = value.write(DType.FLOAT32, classes);
    for (int i = 0; i < classes; i++) {
      place.set(ValueLayout.JAVA_FLOAT_UNALIGNED, value.offset() + 4L * i, i == label ? 1f : 0f);
    }
  }

  @Override
  public String writes() {
    return field;
  }
}
