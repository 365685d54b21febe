package dev.forebay.cli;

import dev.forebay.cli.console.Interruption;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * {@code forebay rehearse}, which the launcher runs once after a build: it loads a few pictures, so
 * that Java can record which classes that takes, and later starts faster.
 */
@Command(
    name = "rehearse",
    hidden = true,
    description = "Loads a few pictures; the launcher records what that takes.")
final class RehearseCommand implements Callable<Integer> {
  private static final int PICTURES = 128;
  private static final int SIDE = 96;

  @Override
  public Integer call() throws IOException {
    Path folder = Files.createTempDirectory("forebay-rehearsal-");
    try {
      Path pictures = Files.createDirectories(folder.resolve("pictures").resolve("a"));
      for (int i = 0; i < PICTURES; i++) {
        ImageIO.write(picture(i), "jpeg", pictures.resolve(i + ".jpg").toFile());
      }
      PrintWriter nowhere = new PrintWriter(new StringWriter());
      BenchCommand bench = new BenchCommand(new Interruption());
      String[] args = {folder.resolve("pictures").toString(), "--batch", "8", "--epochs", "4"};
      return new CommandLine(bench).setOut(nowhere).setErr(nowhere).execute(args);
    } finally {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
          Files.delete(path);
        }
      }
    }
  }

  private static BufferedImage picture(int number) {
    BufferedImage image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_RGB);
    for (int at = 0; at < SIDE * SIDE; at++) {
      image.setRGB(at % SIDE, at / SIDE, at * (number + 3) * 40503);
    }
    return image;
  }
}
