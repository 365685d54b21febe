package dev.forebay.cli.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

/** Writes plain maps, lists, numbers and texts as JSON. */
public final class Json {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private Json() {}

  /** One object over several lines. */
  public static String text(Object plain) {
    try {
      return MAPPER.writeValueAsString(plain);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("plain values can always be written", e);
    }
  }
}
