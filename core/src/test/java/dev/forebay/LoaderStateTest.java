package dev.forebay;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.error.ConfigurationException;
import dev.forebay.testing.Gen;
import dev.forebay.testing.Property;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoaderStateTest {
  private static final String VALID =
      "forebay-state/1 fingerprint=f plan=p seed=-3 epoch=2 position=9";

  private static Gen<LoaderState> states() {
    return Gen.lists(Gen.longs(1, 1L << 40), 5)
        .with(
            Gen.longs(0, Long.MAX_VALUE),
            (ahead, number) ->
                new LoaderState(
                    "f" + number,
                    "p",
                    -number,
                    number / 3,
                    number,
                    ahead.isEmpty() ? "" : "0/1/2",
                    ahead));
  }

  @Test
  void parse_textOfAnyState_givesThatState() {
    Property.check(states(), state -> assertEquals(state, LoaderState.parse(state.toString())));
  }

  @Test
  void text_largestNumbers_isAFewHundredBytes() {
    LoaderState state =
        new LoaderState(
            "f".repeat(64), "p".repeat(64), Long.MIN_VALUE, 1L << 60, 1L << 60, "", List.of());
    assertTrue(state.toString().length() < 300, state.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "forebay-state/2 fingerprint=f plan=p seed=-3 epoch=2 position=9",
        "forebay-state/1 fingerprint=f plan=p seed=-3 epoch=2",
        "forebay-state/1 fingerprint=f plan=p seed=-3 epoch=2 position=nine",
        "forebay-state/1 fingerprint=f plan=p seed=-3 epoch=-2 position=9",
        VALID + " position=10",
        VALID + " nonsense",
        VALID + " layout=0/1/2 ahead=0",
        VALID + " layout=0/1/2 ahead=1,,2",
      })
  void parse_damagedText_isRefused(String text) {
    assertThrows(ConfigurationException.class, () -> LoaderState.parse(text));
  }

  @Test
  void parse_anyMutation_givesAStateOrAConfigurationError() {
    Property.check(
        Gen.ints(0, VALID.length() - 1).with(Gen.ints(0, 127), List::of),
        change -> {
          StringBuilder text = new StringBuilder(VALID);
          text.setCharAt(change.get(0), (char) change.get(1).intValue());
          try {
            LoaderState state = LoaderState.parse(text.toString());
            assertEquals(state, LoaderState.parse(state.toString()));
          } catch (ConfigurationException refused) {
            assertMentions(refused, "state");
          }
        });
  }
}
