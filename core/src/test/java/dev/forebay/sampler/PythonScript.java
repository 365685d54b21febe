package dev.forebay.sampler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Runs a script of this module's test sources with the interpreter that {@code PYTHON} names, by
 * default Debian's, which has PyTorch and Pillow.
 */
public final class PythonScript {
  private static final String PYTHON =
      Objects.requireNonNullElse(System.getenv("PYTHON"), "/usr/bin/python3");

  private PythonScript() {}

  /** The lines that the script prints; fails the test if it fails. */
  public static List<String> run(String script, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(PYTHON, "-B"));
    command.add(root().resolve("core/src/test/python").resolve(script).toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), () -> String.join(" ", command) + " failed:\n" + output);
    return output.lines().toList();
  }

  /** The repository: the nearest folder, from the working directory up, that has the vectors. */
  public static Path root() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve("docs/vectors"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("the tests must run inside the repository");
      }
    }
    return folder;
  }
}
