package dev.forebay.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.forebay.stats.WaitMeter.RowTimeline;
import dev.forebay.testing.Gen;
import dev.forebay.testing.Property;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Promise P7: every nanosecond of waiting is attributed to one stage. */
class WaitMeterTest {
  private static final Gen<Long> TIMES = Gen.longs(0, 1_000_000_000);

  private static long sum(Map<Stage, Long> nanos) {
    return nanos.values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void add_anyTimeline_attributesEachNanosecondOnce() {
    Property.check(
        Gen.lists(TIMES, 8, 8),
        times -> {
          List<Long> ordered = times.subList(0, 4).stream().sorted().toList();
          long start = Math.min(times.get(4), times.get(5));
          long end = Math.max(times.get(4), times.get(5));
          WaitMeter meter = new WaitMeter();
          meter.add(
              start,
              end,
              new RowTimeline(
                  ordered.get(0),
                  ordered.get(1),
                  ordered.get(2),
                  ordered.get(3),
                  times.get(6),
                  times.get(7),
                  times.get(6) % 2 == 0));
          assertEquals(end - start, meter.totalNanos());
          assertEquals(meter.totalNanos(), sum(meter.byStage()));
        });
  }

  @Test
  void add_waitOverAWholeLife_givesEachStageItsPart() {
    WaitMeter meter = new WaitMeter();
    meter.add(0, 1000, new RowTimeline(100, 400, 800, 900, 30, 10, true));
    assertEquals(
        Map.of(
            Stage.STORAGE,
            400L,
            Stage.CACHE,
            0L,
            Stage.DECODE,
            300L,
            Stage.TRANSFORM,
            200L,
            Stage.HAND_OFF,
            100L),
        meter.byStage());
  }

  @Test
  void add_rowThatWaitedForWorkersBeforeItsRead_blamesTheWorkers() {
    WaitMeter meter = new WaitMeter();
    meter.add(0, 500, new RowTimeline(100, 400, 500, 500, 1, 0, false));
    assertEquals(300L, meter.byStage().get(Stage.STORAGE));
    assertEquals(200L, meter.byStage().get(Stage.DECODE));
  }

  @Test
  void add_batchThatWasReady_isHandOff() {
    WaitMeter meter = new WaitMeter();
    meter.add(1000, 1003, new RowTimeline(1, 2, 3, 4, 1, 1, false));
    assertEquals(3L, meter.byStage().get(Stage.HAND_OFF));
  }
}
