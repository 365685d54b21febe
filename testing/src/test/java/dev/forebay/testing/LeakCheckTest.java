package dev.forebay.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LeakCheckTest {

  private static LeakCheck.Start start(LeakCheck.Probe... probes) {
    return new LeakCheck(List.of(probes), 20_000_000).start();
  }

  private static void assertLeaks(LeakCheck.Start start, String what) {
    AssertionError failure = assertThrows(AssertionError.class, start::check);
    assertTrue(Thrown.message(failure).contains(what), Thrown.message(failure));
  }

  @Test
  void check_threadStillRunning_isFoundByName() throws Exception {
    LeakCheck.Start start = start(new LeakProbes.Threads());
    CountDownLatch end = new CountDownLatch(1);
    try (Background _ = Background.start("forebay-worker-7", end::await)) {
      assertLeaks(start, "thread: forebay-worker-7 #");
      end.countDown();
    }
    start.check();
  }

  @Test
  void check_threadAboutToEnd_isWaitedFor() throws Exception {
    LeakCheck.Start start = new LeakCheck().start();
    Background worker = Background.start("forebay-worker-8", () -> {});
    start.check();
    worker.join();
  }

  @Test
  void check_threadOfSomebodyElse_isNotOurs() throws Exception {
    LeakCheck.Start start = start(new LeakProbes.Threads());
    try (Background _ = Background.start("other", new CountDownLatch(1)::await)) {
      start.check();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void check_openFile_isFoundByPath(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("data.bin"), "x");
    LeakCheck.Start start = start(new LeakProbes.Descriptors());
    try (InputStream _ = Files.newInputStream(file)) {
      assertLeaks(start, "open descriptor: " + file.toRealPath());
    }
    start.check();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void check_fileInSharedMemory_isFoundByName() throws Exception {
    LeakCheck.Start start = start(new LeakProbes.SharedMemory());
    Path file = sharedMemoryFile(ProcessHandle.current().pid());
    try {
      assertLeaks(start, "shared memory: " + file);
    } finally {
      Files.delete(file);
    }
    start.check();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void check_sharedMemoryOfAnotherProcess_isNotOurs() throws Exception {
    LeakCheck.Start start = start(new LeakProbes.SharedMemory());
    Path file = sharedMemoryFile(1);
    try {
      start.check();
    } finally {
      Files.delete(file);
    }
  }

  private static Path sharedMemoryFile(long pid) throws IOException {
    return Files.createTempFile(Path.of("/dev/shm"), "forebay-" + pid + "-", ".test");
  }

  @Test
  void check_liveBytes_areReportedWithTheirDifference() throws Exception {
    AtomicLong live = new AtomicLong(100);
    LeakCheck.Start start = start(LeakCheck.bytes("native memory", live::get));
    live.addAndGet(4096);
    assertLeaks(start, "native memory: bytes (4096 more)");
    live.set(90);
    start.check();
  }

  @Test
  void check_severalLeaks_areAllListed() {
    AtomicLong a = new AtomicLong();
    AtomicLong b = new AtomicLong();
    LeakCheck.Start start = start(LeakCheck.bytes("a", a::get), LeakCheck.bytes("b", b::get));
    a.set(1);
    b.set(2);
    assertLeaks(start, "a: bytes (1 more)\n  b: bytes (2 more)");
  }
}
