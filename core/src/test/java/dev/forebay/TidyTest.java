package dev.forebay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds what no compiler checks: banned calls, the length of files, nullness in every package. */
class TidyTest {
  private static final int LINES_MAX = 600;
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Programs, whose business it is to print, to read the clock and to pretend to compute. */
  private static final Set<String> PROGRAMS = Set.of("cli", "bench", "djl");

  /** Helpers of tests, which measure deadlines by the clock. */
  private static final String TESTING = "testing";

  /** The only files that read the clock; all others are given a {@code Ticker}. */
  private static final Set<String> CLOCKS = Set.of("core/dev/forebay/stats/Ticker.java");

  private static final List<Ban> ALWAYS =
      List.of(
          new Ban("java\\.util\\.Random\\b|\\bnew Random\\(", "a SplittableRandom from a seed"),
          new Ban("\\bThreadLocalRandom\\b", "a SplittableRandom from a seed"),
          new Ban("\\bMath\\.random\\(", "a SplittableRandom from a seed"),
          new Ban("\\bsun\\.misc\\b", "java.lang.foreign or a VarHandle"),
          new Ban("\\bSystem\\.currentTimeMillis\\b", "an injected clock"));

  private static final List<Ban> IN_LIBRARIES =
      List.of(
          new Ban("\\bSystem\\.(out|err)\\b", "an exception, a callback or System.Logger"),
          new Ban("\\.printStackTrace\\(\\)", "an exception with a cause"),
          new Ban("\\b(Thread|SECONDS|MILLISECONDS|TimeUnit\\.\\w+)\\.sleep\\(", "a condition"));

  private static final Ban CLOCK = new Ban("\\bSystem\\s*(\\.|::)\\s*nanoTime\\b", "a Ticker");

  private record Ban(Pattern pattern, String instead) {
    Ban(String regex, String instead) {
      this(Pattern.compile(regex), instead);
    }
  }

  /**
   * A source file of a module's main code.
   *
   * @param name the module and the path below its source folder, with slashes
   */
  private record Source(String module, String name, String text) {
    boolean isLibrary() {
      return !PROGRAMS.contains(module) && !module.equals(TESTING);
    }

    List<Ban> bans() {
      List<Ban> bans = new ArrayList<>(ALWAYS);
      if (isLibrary()) {
        bans.addAll(IN_LIBRARIES);
        if (!CLOCKS.contains(name)) {
          bans.add(CLOCK);
        }
      }
      return bans;
    }
  }

  @Test
  void mainSources_bannedCalls_areAbsent() {
    List<String> found = new ArrayList<>();
    for (Source source : mainSources()) {
      found.addAll(violations(source));
    }
    assertEquals(List.of(), found, () -> String.join("\n", found));
  }

  private static List<String> violations(Source source) {
    List<String> found = new ArrayList<>();
    String[] lines = withoutCommentsAndTexts(source.text).split("\n", -1);
    for (Ban ban : source.bans()) {
      for (int i = 0; i < lines.length; i++) {
        if (ban.pattern.matcher(lines[i]).find()) {
          found.add(source.name + ":" + (i + 1) + " uses " + ban.pattern + "; use " + ban.instead);
        }
      }
    }
    return found;
  }

  @Test
  void mainSources_files_haveAtMost600Lines() {
    for (Source source : mainSources()) {
      long lines = source.text.lines().count();
      assertTrue(lines <= LINES_MAX, () -> source.name + " has " + lines + " lines; split it");
    }
  }

  @Test
  void mainSources_packages_areNullMarked() {
    List<Source> sources = mainSources();
    for (Source source : sources) {
      String folder = source.name.substring(0, source.name.lastIndexOf('/') + 1);
      assertTrue(
          sources.stream()
              .anyMatch(
                  other ->
                      other.name.equals(folder + "package-info.java")
                          && other.text.contains("@NullMarked")),
          () -> folder + " needs a package-info.java with @NullMarked");
    }
  }

  @Test
  void bans_callsInCodeOnly_areFound() {
    String code = "// System.out\nString s = \"Thread.sleep(1)\"; /* new Random() */\n";
    assertEquals(List.of(), violations(new Source("core", "core/A.java", code)));
    for (String bad :
        List.of(
            "System.out.println();",
            "Thread.sleep(1);",
            "TimeUnit.SECONDS.sleep(1);",
            "long t = System.currentTimeMillis();",
            "LongSupplier t = System::nanoTime;",
            "var r = new Random();",
            "import java.util.Random;",
            "int i = ThreadLocalRandom.current().nextInt();",
            "double d = Math.random();",
            "import sun.misc.Unsafe;")) {
      List<String> found = violations(new Source("core", "core/A.java", code + bad));
      assertEquals(1, found.size(), bad);
      assertTrue(found.getFirst().startsWith("core/A.java:3 "), found::getFirst);
    }
  }

  @Test
  void mainSources_modules_includeThisOneAndTesting() {
    List<String> modules = mainSources().stream().map(Source::module).distinct().toList();
    assertTrue(modules.containsAll(List.of("core", TESTING)), modules::toString);
    assertFalse(modules.contains("target"), modules::toString);
  }

  private static List<Source> mainSources() {
    List<Source> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.sorted().toList()) {
        Path main = module.resolve("src/main/java");
        if (Files.isDirectory(main)) {
          addSources(module.getFileName().toString(), main, sources);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sources;
  }

  private static void addSources(String module, Path main, List<Source> into) throws IOException {
    try (Stream<Path> files = Files.walk(main)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).sorted().toList()) {
        String name = module + "/" + main.relativize(file).toString().replace('\\', '/');
        into.add(new Source(module, name, Files.readString(file)));
      }
    }
  }

  private static final Pattern COMMENTS_AND_TEXTS =
      Pattern.compile(
          "\"\"\"(?s:.*?)(?<!\\\\)\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'"
              + "|//[^\n]*|/\\*(?s:.*?)\\*/");

  /** The same lines with nothing but code in them. */
  private static String withoutCommentsAndTexts(String text) {
    return COMMENTS_AND_TEXTS.matcher(text).replaceAll(TidyTest::lineBreaks);
  }

  private static String lineBreaks(MatchResult match) {
    return match.group().replaceAll("[^\n]", "");
  }
}
