package dev.forebay.storage;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every {@link DirectoryReader} promises. */
abstract class DirectoryReaderContract {
  @TempDir Path folder;

  abstract DirectoryReader reader();

  private Map<String, Boolean> list(Path path) throws IOException {
    Map<String, Boolean> entries = new TreeMap<>();
    reader()
        .list(
            utf8(path),
            (buffer, offset, bytes, isDirectory) ->
                entries.put(
                    new String(buffer, offset, bytes, StandardCharsets.UTF_8), isDirectory));
    return entries;
  }

  private static byte[] utf8(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void list_entriesOfEveryType_tellsDirectoriesApart() throws IOException {
    Files.createDirectory(folder.resolve("dir"));
    Files.createFile(folder.resolve("file"));
    Files.createFile(folder.resolve(".hidden"));
    Files.createFile(folder.resolve("..."));
    Files.createSymbolicLink(folder.resolve("dir-link"), Path.of("dir"));
    Files.createSymbolicLink(folder.resolve("file-link"), Path.of("file"));
    Files.createSymbolicLink(folder.resolve("broken-link"), Path.of("nowhere"));
    Files.createSymbolicLink(folder.resolve("self-link"), Path.of("self-link"));

    assertEquals(
        Map.of(
            "dir", true,
            "file", false,
            ".hidden", false,
            "...", false,
            "dir-link", true,
            "file-link", false,
            "broken-link", false,
            "self-link", false),
        list(folder));
  }

  @Test
  void list_moreThanOneBufferful_givesEachNameOnce() throws IOException {
    int count = 3000;
    for (int i = 0; i < count; i++) {
      Files.createFile(folder.resolve("a-rather-long-name-of-a-file-".repeat(3) + i));
    }

    assertEquals(count, list(folder).size());
  }

  @Test
  void list_emptyDirectory_givesNothing() throws IOException {
    assertEquals(Map.of(), list(folder));
  }

  @Test
  void list_missingOrNoDirectory_failsWithThePath() throws IOException {
    Path missing = folder.resolve("missing");
    var failure = assertThrows(NoSuchFileException.class, () -> list(missing));
    assertMentions(failure, missing.toString());

    Path file = Files.createFile(folder.resolve("file"));
    var notDirectory = assertThrows(IOException.class, () -> list(file));
    assertMentions(notDirectory, file.toString());
  }

  @Test
  void status_ofFileAndDirectory_tellsTypeSizeAndTimes() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[123]);
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("file"));
    FileStatus status = reader().status(utf8(file));

    assertFalse(status.isDirectory());
    assertEquals(123, status.bytes());
    assertEquals(Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS), status.modifiedNanos());
    assertTrue(status.changedNanos() >= status.modifiedNanos());
    assertEquals(status, reader().status(utf8(link)));

    FileStatus directory = reader().status(utf8(folder));
    assertTrue(directory.isDirectory());
    assertNotEquals(status.identity(), directory.identity());
    assertThrows(NoSuchFileException.class, () -> reader().status(utf8(folder.resolve("missing"))));
  }
}
