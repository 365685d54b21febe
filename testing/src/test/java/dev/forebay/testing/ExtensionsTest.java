package dev.forebay.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** Runs small test classes through JUnit to see what the extensions make of them. */
class ExtensionsTest {

  private static final AtomicLong BYTES = new AtomicLong();

  static class Fixture {
    @RegisterExtension
    final LeakCheck leaks =
        new LeakCheck(List.of(LeakCheck.bytes("native memory", BYTES::get)), 1_000_000);

    @Test
    void leaky() {
      BYTES.addAndGet(64);
    }

    @Test
    void clean() {
      BYTES.addAndGet(64);
      BYTES.addAndGet(-64);
    }
  }

  @ExtendWith(LeakCheck.class)
  static class TidyFixture {
    private final AtomicLong opened = new AtomicLong();

    @Test
    void cleansUp() {
      opened.incrementAndGet();
    }

    @AfterEach
    void tearDown() {
      assertEquals(1, opened.get());
    }
  }

  static class SeededFixture {
    @Test
    void fails() {
      Seeds.random("fixture");
      throw new IllegalStateException("boom");
    }
  }

  @Test
  void leakCheck_leakyAndCleanTest_failsTheLeakyOneOnly() {
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(Fixture.class))
        .execute()
        .testEvents()
        .assertStatistics(statistics -> statistics.succeeded(1).failed(1))
        .failed()
        .stream()
        .forEach(event -> assertTrue(thrown(event).toString().contains("64 more")));
  }

  @Test
  void leakCheck_annotated_passesATidyTest() {
    EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(TidyFixture.class))
        .execute()
        .testEvents()
        .assertStatistics(statistics -> statistics.succeeded(1).failed(0));
  }

  @Test
  void seedReport_failedTest_namesTheSeedWithoutBeingRegistered() {
    EngineTestKit.engine("junit-jupiter")
        .enableImplicitConfigurationParameters(true) // junit-platform.properties, as a build does
        .selectors(selectClass(SeededFixture.class))
        .execute()
        .testEvents()
        .assertStatistics(statistics -> statistics.failed(1))
        .failed()
        .stream()
        .forEach(
            event -> {
              String hints = Arrays.toString(thrown(event).getSuppressed());
              assertTrue(hints.contains(Seeds.option()), hints);
            });
  }

  private static Throwable thrown(Event event) {
    return event.getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow();
  }
}
