package dev.forebay.storage;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What local files promise beyond the contract, in both ways of reading them. */
abstract class LocalFilesContract extends ObjectStoreContract {
  @TempDir Path folder;

  private final LocalFiles files = open();

  abstract LocalFiles open();

  @Override
  ObjectStore store() {
    return files;
  }

  @Override
  String create(String name, byte[] content) throws IOException {
    return Files.write(folder.resolve(name), content).toString();
  }

  @AfterEach
  void closeStore() {
    files.close();
  }

  @Test
  void read_directory_saysSo() {
    var refused =
        assertThrows(
            FileSystemException.class, () -> read(folder.toString(), 0, ObjectRange.TO_END));

    assertMentions(refused, folder.toString());
    assertMentions(refused, "a directory");
  }

  @Test
  void read_fifoWithoutWriter_isRefusedAtOnce() throws Exception {
    Path fifo = folder.resolve("fifo");
    assertEquals(0, new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor());

    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> assertThrows(FileSystemException.class, () -> read(fifo.toString(), 0, 1)));
  }

  @Test
  void read_endlessDevice_isRefused() {
    assertThrows(FileSystemException.class, () -> read("/dev/zero", 0, ObjectRange.TO_END));
  }

  @Test
  void read_fileThatStatesNoSize_isReadToItsEnd() throws IOException {
    byte[] version = read("/proc/version", 0, ObjectRange.TO_END);

    assertArrayEquals(Files.readAllBytes(Path.of("/proc/version")), version);
    assertTrue(version.length > 0);
  }

  @Test
  void read_fileThatEndsBeforeItsStatedSize_givesWhatIsThereOrEndsTheRange() throws IOException {
    String location = "/sys/devices/system/cpu/online"; // states 4096 bytes, holds a few
    long stated = Files.size(Path.of(location));
    byte[] content = read(location, 0, ObjectRange.TO_END);

    assertTrue(content.length > 0 && content.length < stated, "length " + content.length);
    assertMentions(
        assertThrows(EOFException.class, () -> read(location, 0, stated)),
        location,
        "byte " + content.length);
  }

  @Test
  void read_failingDevice_namesTheFile() {
    // Offset 0 of a process's own memory is never mapped: the kernel answers with EIO.
    var failure = assertThrows(IOException.class, () -> read("/proc/self/mem", 0, -1));

    assertMentions(failure, "/proc/self/mem");
    assertMentions(failure, "Input/output error");
  }

  @Test
  void read_symbolicLink_isFollowed() throws IOException {
    byte[] content = randomBytes(4, 5000);
    create("target", content);
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("target"));

    assertArrayEquals(content, read(link.toString(), 0, ObjectRange.TO_END));
  }

  @Test
  void read_linkToItself_fails() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("self"), Path.of("self"));

    assertThrows(IOException.class, () -> read(link.toString(), 0, ObjectRange.TO_END));
  }

  @Test
  void read_nameOutsideAscii_works() throws IOException {
    byte[] content = randomBytes(5, 50);

    assertArrayEquals(content, read(create("Größe 一 🐈", content), 0, ObjectRange.TO_END));
  }

  @Test
  void read_thousandsOfFiles_leavesNoneOpen() throws IOException {
    String location = create("often", randomBytes(6, 10));
    long before = openFiles();
    for (int round = 0; round < 2000; round++) {
      assertEquals(10, read(location, 0, ObjectRange.TO_END).length);
      assertThrows(IOException.class, () -> read(location, 0, 11));
    }

    assertTrue(openFiles() <= before + 8, "open files: " + before + " then " + openFiles());
  }

  private static long openFiles() throws IOException {
    try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors.count();
    }
  }
}
