package dev.forebay.memory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of a sample, in order. A field's index in the list is its <em>slot</em>, by which it
 * is addressed on the hot path. Immutable.
 */
public final class Schema {
  private final List<Field> fields;
  private final Map<String, Integer> slots;

  private Schema(List<Field> fields) {
    this.fields = List.copyOf(fields);
    this.slots = HashMap.newHashMap(fields.size());
    for (int slot = 0; slot < fields.size(); slot++) {
      if (slots.put(fields.get(slot).name(), slot) != null) {
        throw new IllegalArgumentException("two fields are named " + fields.get(slot).name());
      }
    }
  }

  /** The schema with the given fields; their names must differ. */
  public static Schema of(Field... fields) {
    return new Schema(List.of(fields));
  }

  /** The schema with the given fields; their names must differ. */
  public static Schema of(List<Field> fields) {
    return new Schema(fields);
  }

  /** All fields, by slot. */
  public List<Field> fields() {
    return fields;
  }

  /** The number of fields. */
  public int size() {
    return fields.size();
  }

  /** The field in the given slot. */
  public Field field(int slot) {
    return fields.get(slot);
  }

  /** The slot of a field, or -1 if there is none of that name. */
  public int indexOf(String name) {
    return slots.getOrDefault(name, -1);
  }

  /**
   * The slot of a field; throws {@link IllegalArgumentException} that lists the names there are.
   */
  public int slot(String name) {
    int slot = indexOf(name);
    if (slot < 0) {
      throw new IllegalArgumentException(
          "no field is named '"
              + name
              + "'; there are "
              + fields.stream().map(Field::name).toList());
    }
    return slot;
  }

  /** The same schema with the field in {@code slot} replaced. */
  public Schema with(int slot, Field field) {
    Field[] changed = fields.toArray(new Field[0]);
    changed[slot] = field;
    return of(changed);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Schema schema && fields.equals(schema.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  @Override
  public String toString() {
    return fields.toString();
  }
}
