package dev.forebay.bench;

import dev.forebay.error.ConfigurationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** PyTorch's side of the comparisons: the interpreter and the scripts. Stateless. */
final class BenchScript {
  private BenchScript() {}

  /** The interpreter that has torch: the one that PYTHON names, or Debian's. */
  static String python() {
    return Objects.requireNonNullElse(System.getenv("PYTHON"), "/usr/bin/python3");
  }

  /** Whether the interpreter has what the comparisons need. */
  static boolean hasTorch() {
    try {
      return new ProcessBuilder(python(), "-c", "import torch, torchvision")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException absent) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Writes a script of this jar into a folder; the caller deletes it. */
  static Path extract(String name, Path folder) throws IOException {
    Path script = Files.createTempFile(folder, "bench-", "-" + name);
    try (InputStream text = BenchScript.class.getResourceAsStream(name)) {
      if (text == null) {
        throw new ConfigurationException(name + " is missing from this build; build it again");
      }
      Files.copy(text, script, StandardCopyOption.REPLACE_EXISTING);
    }
    return script;
  }
}
