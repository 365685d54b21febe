package dev.forebay.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.forebay.Batch;
import dev.forebay.DataLoader;
import dev.forebay.memory.DType;
import dev.forebay.memory.Field;
import dev.forebay.memory.Ragged;
import dev.forebay.memory.Schema;
import dev.forebay.memory.Shape;
import dev.forebay.storage.ObjectRange;
import dev.forebay.testing.LeakCheck;
import dev.forebay.transform.Sample;
import dev.forebay.transform.Value;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Datasets as a user writes them; {@code docs/datasets.md} shows them as examples. */
@ExtendWith(LeakCheck.class)
class UserDatasetTest {

  /** A sample as the user's program has it: a text, two numbers, a list, and a pair. */
  private record Report(
      String city, float windEast, float windNorth, List<Integer> hours, Pair target) {}

  private record Pair(long station, float degrees) {}

  /** Reports, their parts under the names that a map would have. */
  private record Reports(List<Report> reports) implements Dataset {
    private static final Schema SCHEMA =
        Schema.of(
            Field.string("city"),
            Field.tensor("wind", DType.FLOAT32, Shape.of(2)),
            Field.tensor("hours", DType.INT32, Shape.of(Shape.UNKNOWN)),
            Field.scalar("target.0", DType.INT64),
            Field.scalar("target.1", DType.FLOAT32));

    @Override
    public long size() {
      return reports.size();
    }

    @Override
    public String fingerprint() {
      return "reports-2026-03";
    }

    @Override
    public Schema schema() {
      return SCHEMA;
    }

    @Override
    public void load(long id, Sample sample) {
      Report report = reports.get((int) id);
      sample.value(0).setString(report.city());
      Value wind = sample.value(1);
      MemorySegment place = wind.write(DType.FLOAT32, 2);
      place.set(ValueLayout.JAVA_FLOAT_UNALIGNED, wind.offset(), report.windEast());
      place.set(ValueLayout.JAVA_FLOAT_UNALIGNED, wind.offset() + 4, report.windNorth());
      Value hours = sample.value(2);
      place = hours.write(DType.INT32, report.hours().size());
      for (int index = 0; index < report.hours().size(); index++) {
        long at = hours.offset() + index * 4L;
        place.set(ValueLayout.JAVA_INT_UNALIGNED, at, report.hours().get(index));
      }
      sample.value(3).setLong(report.target().station());
      sample.value(4).setFloat(report.target().degrees());
    }
  }

  @Test
  void userDataset_mapTupleTextAndList_arriveAsColumns() {
    Reports reports =
        new Reports(
            List.of(
                new Report("Köln", 1, 2, List.of(7, 8, 9), new Pair(51, 4.5f)),
                new Report("Oslo", 3, 4, List.of(), new Pair(60, -7))));
    try (DataLoader loader = DataLoader.builder(reports).batchSize(2).workers(1).build()) {
      Iterator<Batch> epoch = loader.iterator();
      try (Batch batch = epoch.next()) {
        assertEquals(List.of("Köln", "Oslo"), batch.strings("city"));
        assertArrayEquals(new float[] {1, 2, 3, 4}, batch.tensor("wind").toFloats());
        assertEquals(Shape.of(2, 2), batch.tensor("wind").shape());
        Ragged hours = batch.ragged("hours");
        assertArrayEquals(new long[] {0, 3, 3}, hours.offsets().toLongs());
        assertEquals(3, hours.values().elements());
        assertEquals(9, hours.values().doubleAt(2));
        assertEquals(Shape.of(2, 3), batch.padded("hours", -1).shape());
        assertArrayEquals(new long[] {51, 60}, batch.tensor("target.0").toLongs());
        assertArrayEquals(new float[] {4.5f, -7}, batch.tensor("target.1").toFloats());
      }
    }
  }

  /** Pieces of equal length of one file: the loader reads them, ahead of the workers. */
  private record Pieces(Path file, long size, int pieceBytes) implements Dataset {
    @Override
    public String fingerprint() {
      return "pieces-" + size + "-" + pieceBytes;
    }

    @Override
    public Schema schema() {
      return Schema.of(Field.bytes("piece").withBytesMax(pieceBytes));
    }

    @Override
    public int storedField() {
      return 0;
    }

    @Override
    public void locate(long id, ObjectRange range) {
      range.set(file.toString(), id * pieceBytes, pieceBytes);
    }

    @Override
    public void load(long id, Sample sample) {}
  }

  @Test
  void userDataset_storedField_isReadByTheLoader(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("pieces"), "abcdefghi");
    List<String> pieces = new ArrayList<>();
    Dataset some = SubsetDataset.of(new Pieces(file, 3, 3), 2, 0);
    try (DataLoader loader = DataLoader.builder(some).batchSize(2).workers(1).build()) {
      Iterator<Batch> epoch = loader.iterator();
      try (Batch batch = epoch.next()) {
        for (int row = 0; row < batch.size(); row++) {
          pieces.add(new String(batch.bytes("piece", row), StandardCharsets.US_ASCII));
        }
      }
    }
    assertEquals(List.of("ghi", "abc"), pieces);
  }
}
