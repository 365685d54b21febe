package dev.forebay.djl.demo;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PassingFolderTest {
  @Test
  void close_folderWithContent_isRemoved() throws IOException {
    Path path;
    try (PassingFolder folder = PassingFolder.create()) {
      path = folder.path();
      Files.createDirectories(path.resolve("a/b"));
      Files.writeString(path.resolve("a/b/c.txt"), "content");
      assertFalse(folder.isEnding());
    }
    assertFalse(Files.exists(path));
  }

  /** A process that is gone cannot come back for its folder; one that lives keeps it. */
  @Test
  void create_foldersOfOtherProcesses_removesThoseOfTheDead() throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Path dead = temporary.resolve("forebay-demo-4194999-test");
    Path living = temporary.resolve("forebay-demo-" + ProcessHandle.current().pid() + "-test");
    Path foreign = temporary.resolve("forebay-demo-mine");
    for (Path folder : new Path[] {dead, living, foreign}) {
      Files.createDirectories(folder);
    }
    try (PassingFolder folder = PassingFolder.create()) {
      assertTrue(Files.exists(folder.path()));
      assertFalse(Files.exists(dead));
      assertTrue(Files.exists(living));
      assertTrue(Files.exists(foreign));
    } finally {
      Files.deleteIfExists(living);
      Files.deleteIfExists(foreign);
    }
  }
}
