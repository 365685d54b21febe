package dev.forebay.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class NativeLocalFilesTest extends LocalFilesContract {
  private static final long BYTES_PER_READ_MAX = 64;

  @Override
  LocalFiles open() {
    return new LocalFiles(true);
  }

  @Test
  void libc_onThisMachine_isAvailable() {
    assertTrue(Libc.isAvailable());
  }

  @Test
  void read_inSteadyState_allocatesNextToNothing() throws IOException {
    int rounds = 5_000;
    range.set(create("hot", randomBytes(1, 4096)), 0, ObjectRange.TO_END);
    long bytesPerRead = Long.MAX_VALUE;
    // Steady state begins when the JIT has compiled the calls, which a busy machine delays; how
    // much
    // it then leaves away depends on what else this JVM has run.
    for (int block = 0; block < 100 && bytesPerRead >= BYTES_PER_READ_MAX; block++) {
      bytesPerRead = Math.min(bytesPerRead, bytesAllocated(rounds) / rounds);
    }

    assertTrue(bytesPerRead < BYTES_PER_READ_MAX, bytesPerRead + " bytes are allocated per read");
  }

  private long bytesAllocated(int rounds) throws IOException {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int round = 0; round < rounds; round++) {
      assertEquals(4096, store().read(range, into));
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void failure_byErrorNumber_hasTypePathAndWords() {
    assertInstanceOf(NoSuchFileException.class, Libc.failure(Libc.ENOENT, "a/b"));
    assertInstanceOf(AccessDeniedException.class, Libc.failure(Libc.EACCES, "a/b"));
    assertInstanceOf(AccessDeniedException.class, Libc.failure(Libc.EPERM, "a/b"));
    var noSpace = assertInstanceOf(FileSystemException.class, Libc.failure(28, "a/b"));
    assertEquals("a/b: No space left on device (errno 28)", noSpace.getMessage());
  }

  @Test
  void read_afterClose_fails() throws IOException {
    String location = create("late", new byte[1]);
    store().close();

    assertThrows(IllegalStateException.class, () -> read(location, 0, 1));
  }
}
