package dev.forebay.cli.inspect;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A file that cannot be used.
 *
 * @param path where it is
 * @param reason what is wrong with it
 */
public record Finding(String path, String reason) {
  Map<String, Object> plain() {
    Map<String, Object> plain = new LinkedHashMap<>();
    plain.put("path", path);
    plain.put("reason", reason);
    return plain;
  }
}
