package dev.forebay.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a repository of its own, where Java and Maven are scripts that say how they were
 * called and nothing else of the machine is seen.
 */
class LauncherTest {
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "cat",
          "dirname",
          "env",
          "find",
          "flock",
          "grep",
          "head",
          "ls",
          "mkdir",
          "mv",
          "readlink",
          "rm",
          "rmdir",
          "sed",
          "sleep",
          "tail",
          "tee",
          "touch");

  private static final String MAVEN =
      """
      #!/usr/bin/env bash
      echo "mvn on $JAVA_HOME: $*" >>"$ROOT/builds"
      echo "[INFO] Building Forebay command line 0.1.0-SNAPSHOT              [1/1]"
      if [ -e "$ROOT/broken" ]; then echo "[ERROR] it is broken"; exit 1; fi
      sleep 0.2
      mkdir -p "$ROOT/cli/target/lib" && touch "$ROOT/cli/target/forebay-cli-0.1.0.jar"
      """;

  @TempDir private Path folder;
  private Path root = Path.of("");
  private final Map<String, String> environment = new TreeMap<>();

  @BeforeEach
  void repository() throws IOException {
    folder = folder.toRealPath();
    root = Files.createDirectories(folder.resolve("the repository"));
    Files.copy(Path.of("..", "forebay"), root.resolve("forebay"));
    executable(root.resolve("forebay"), Files.readString(root.resolve("forebay")));
    Files.writeString(root.resolve("pom.xml"), "");
    Files.createDirectories(root.resolve("cli/src/main/java"));
    Files.writeString(root.resolve("cli/src/main/java/A.java"), "");
    Path tools = Files.createDirectories(folder.resolve("tools"));
    for (String tool : TOOLS) {
      String real = Files.exists(Path.of("/bin", tool)) ? "/bin/" + tool : "/usr/bin/" + tool;
      if (Files.exists(Path.of(real))) {
        executable(tools.resolve(tool), "#!/bin/bash\nexec " + real + " \"$@\"\n");
      }
    }
    executable(folder.resolve("maven/mvn"), MAVEN);
    environment.put("PATH", tools + ":" + folder.resolve("maven"));
    environment.put("HOME", folder.resolve("home").toString());
    environment.put("FOREBAY_JVM_DIR", folder.resolve("jvm").toString());
    environment.put("ROOT", root.toString());
  }

  private static void executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A folder with a Java of that version, which prints its own place and its arguments. */
  private Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    executable(
        home.resolve("bin/java"),
        """
        #!/usr/bin/env bash
        if [ "$1" = -version ]; then echo 'openjdk version "%s" 2025' >&2; exit; fi
        echo "java=$0"; printf '<%%s>' "$@"; echo
        """
            .formatted(version));
    executable(home.resolve("bin/javac"), "");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private Ran launch(String... args) throws IOException {
    return launch(root.resolve("forebay"), args);
  }

  private Ran launch(Path launcher, String... args) throws IOException {
    try {
      Process process = start(launcher, args);
      int exitCode = process.waitFor();
      return new Ran(
          exitCode,
          Files.readString(folder.resolve("out"), StandardCharsets.UTF_8),
          Files.readString(folder.resolve("err"), StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Process start(Path launcher, String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.redirectOutput(folder.resolve("out").toFile());
    builder.redirectError(folder.resolve("err").toFile());
    return builder.start();
  }

  private void assertRunsOn(Path home) throws IOException {
    Ran ran = launch("--version");
    assertEquals(0, ran.exitCode(), ran::err);
    assertTrue(ran.out().startsWith("java=" + home.resolve("bin/java") + "\n"), ran::out);
  }

  private long builds() throws IOException {
    Path log = root.resolve("builds");
    return Files.exists(log) ? Files.readAllLines(log).size() : 0;
  }

  @Test
  void java_ofEachPlace_isFound() throws IOException {
    assertRunsOnlyWith(
        "SDKMAN_DIR", folder.resolve("sdk"), jdk("sdk/candidates/java/26-tem", "26"));
    assertRunsOnlyWith("HOME", folder.resolve("h"), jdk("h/.sdkman/candidates/java/25", "25.0.1"));
    assertRunsOnlyWith("FOREBAY_JVM_DIR", folder.resolve("jvms"), jdk("jvms/temurin", "25"));
    Path path = jdk("on the path", "25.0.3");
    Files.createDirectories(folder.resolve("links"));
    Files.createSymbolicLink(folder.resolve("links/java"), path.resolve("bin/java"));
    String tools = environment.get("PATH");
    assertRunsOnlyWith("PATH", Path.of(folder.resolve("links") + ":" + tools), path);
    Path home = jdk("home jdk", "25");
    assertRunsOnlyWith("JAVA_HOME", home, home);
    Path ordered = jdk("ordered", "27-ea");
    assertRunsOnlyWith("FOREBAY_JAVA", ordered, ordered);
    assertRunsOnlyWith("FOREBAY_JAVA", ordered.resolve("bin/java"), ordered);
  }

  private void assertRunsOnlyWith(String name, Path value, Path home) throws IOException {
    String before = environment.get(name);
    environment.put(name, value.toString());
    assertRunsOn(home);
    if (before == null) {
      environment.remove(name);
    } else {
      environment.put(name, before);
    }
  }

  @Test
  void java_tooOldOrWithoutCompiler_isPassedOver() throws IOException {
    environment.put("JAVA_HOME", jdk("old", "17.0.15").toString());
    Files.delete(jdk("jvm/a-jre", "25").resolve("bin/javac"));
    Files.delete(jdk("jvm/b-old", "1.8.0_402").resolve("release"));
    assertRunsOn(jdk("jvm/c-jdk", "25"));
    assertRunsOn(folder.resolve("jvm/a-jre")); // nothing is left to build
  }

  @Test
  void java_nowhere_messageSaysWhatToInstall() throws IOException {
    environment.put("JAVA_HOME", jdk("old", "17.0.15").toString());
    Ran ran = launch("--version");
    assertEquals(1, ran.exitCode());
    assertEquals("", ran.out());
    for (String word : List.of("no JDK 25", "apt-get install", "brew install", "sdk install")) {
      assertTrue(ran.err().contains(word), ran::err);
    }
    assertTrue(ran.err().contains(folder.resolve("old") + " is Java 17"), ran::err);
  }

  @Test
  void forebayJava_thatWillNotDo_isAnError() throws IOException {
    jdk("jvm/good", "25");
    environment.put("FOREBAY_JAVA", folder.resolve("nowhere").toString());
    assertFails("is neither a java program nor a JDK's folder");
    environment.put("FOREBAY_JAVA", jdk("old", "21.0.1").toString());
    assertFails("is Java 21; a JDK 25 or later is needed");
  }

  private void assertFails(String message) throws IOException {
    Ran ran = launch("--version");
    assertEquals(1, ran.exitCode());
    assertTrue(ran.err().contains(message), ran::err);
  }

  @Test
  void maven_missing_messageSaysWhatToInstall() throws IOException {
    jdk("jvm/good", "25");
    Files.delete(folder.resolve("maven/mvn"));
    assertFails("Maven 3.8.6 or later is needed");
    assertFails("apt-get install maven");
  }

  @Test
  void build_sourcesChanged_isDoneAgainOnThatJdk() throws IOException {
    Path home = jdk("jvm/good", "25");
    Ran first = launch("--version");
    assertTrue(first.err().contains("Building Forebay"), first::err);
    assertTrue(first.err().contains("[1/1] Forebay command line"), first::err);
    assertTrue(Files.readString(root.resolve("builds")).startsWith("mvn on " + home + ": "));
    assertEquals("", launch("--version").err());
    assertEquals(1, builds());
    Files.writeString(root.resolve("cli/src/main/java/B.java"), "");
    launch("--version");
    assertEquals(2, builds());
    Files.delete(root.resolve("cli/src/main/java/B.java"));
    launch("--version");
    assertEquals(3, builds());
    Files.delete(root.resolve("cli/target/forebay-cli-0.1.0.jar"));
    launch("--version");
    assertEquals(4, builds());
  }

  @Test
  void build_failed_errorsAreShownAndItIsTriedAgain() throws IOException {
    jdk("jvm/good", "25");
    Files.writeString(root.resolve("broken"), "");
    Ran ran = launch("--version");
    assertEquals(1, ran.exitCode());
    assertEquals("", ran.out());
    assertTrue(ran.err().contains("[ERROR] it is broken"), ran::err);
    assertTrue(ran.err().contains("launcher-build.log"), ran::err);
    Files.delete(root.resolve("broken"));
    assertEquals(0, launch("--version").exitCode());
    assertEquals(2, builds());
  }

  @Test
  void build_severalLaunchers_oneBuilds() throws IOException, InterruptedException {
    jdk("jvm/good", "25");
    assertOneBuilds();
  }

  @Test
  void build_severalLaunchersWithoutFlock_oneBuilds() throws IOException, InterruptedException {
    jdk("jvm/good", "25");
    Files.deleteIfExists(folder.resolve("tools/flock"));
    assertOneBuilds();
    assertFalse(Files.exists(root.resolve("target/launcher-lock.d")));
  }

  private void assertOneBuilds() throws IOException, InterruptedException {
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      processes.add(start(root.resolve("forebay"), "--version"));
    }
    for (Process process : processes) {
      assertEquals(0, process.waitFor());
    }
    assertEquals(1, builds());
  }

  @Test
  void arguments_throughALink_arriveAsTheyAre() throws IOException {
    jdk("jvm/good", "25");
    environment.put("FOREBAY_JAVA_OPTS", "-Xmx4g -XX:+UseZGC");
    Path link = folder.resolve("link");
    Files.createSymbolicLink(link, Path.of("the repository/forebay"));
    Ran ran = launch(link, "bench", "a folder", "", "*");
    assertEquals(0, ran.exitCode(), ran::err);
    assertTrue(ran.out().endsWith("<dev.forebay.cli.Main><bench><a folder><><*>\n"), ran::out);
    assertTrue(ran.out().contains("<-Xmx4g><-XX:+UseZGC><-cp>"), ran::out);
    assertFalse(ran.out().contains("UseSerialGC"), ran::out);
    assertTrue(ran.out().contains("<--enable-native-access=ALL-UNNAMED>"), ran::out);
  }

  @Test
  void test_command_runsTheScriptWithTheJdk() throws IOException {
    Path home = jdk("jvm/good", "25");
    executable(
        root.resolve("scripts/test.sh"),
        "#!/usr/bin/env bash\necho \"$JAVA_HOME $FOREBAY_JAVA $*\"; exit 3\n");
    Ran ran = launch("test", "--slow", "A*");
    assertEquals(3, ran.exitCode());
    assertEquals(home + " " + home + " --slow A*\n", ran.out());
    assertEquals(0, builds());
  }
}
