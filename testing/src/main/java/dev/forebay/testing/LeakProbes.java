package dev.forebay.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The probes of {@link LeakCheck} that are always there. Where there is no /proc, some see 0. */
final class LeakProbes {
  private static final String PREFIX = "forebay";
  private static final long JOIN_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(50);

  private LeakProbes() {}

  static List<LeakCheck.Probe> standard() {
    return List.of(new Threads(), new Descriptors(), new SharedMemory());
  }

  /** Platform threads whose name begins with "forebay". */
  static final class Threads implements LeakCheck.Probe {
    @Override
    public String name() {
      return "thread";
    }

    @Override
    public Map<String, Long> live() {
      Map<String, Long> live = new HashMap<>();
      threads().forEach(thread -> live.put(describe(thread), 1L));
      return live;
    }

    private static String describe(Thread thread) {
      return thread.getName() + " #" + thread.threadId();
    }

    @Override
    public void pause(long nanosMax) throws InterruptedException {
      // A join of the newest thread: those that lived before the test are not likely to end.
      Thread newest =
          threads().max((a, b) -> Long.compare(a.threadId(), b.threadId())).orElse(null);
      if (newest != null) {
        TimeUnit.NANOSECONDS.timedJoin(newest, Math.min(nanosMax, JOIN_NANOS_MAX));
      }
    }

    private static Stream<Thread> threads() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith(PREFIX));
    }
  }

  /**
   * Open file descriptors, by what they refer to. Leaves out what the JVM opens when it likes:
   * jars, its source of randomness, its pollers and the files by which it looks at its container.
   */
  static final class Descriptors implements LeakCheck.Probe {
    private static final Path DIRECTORY = Path.of("/proc/self/fd");
    private static final Pattern OF_THE_JVM =
        Pattern.compile(
            ".*\\.jar|/dev/u?random|/proc/.*|/sys/.*|anon_inode:\\[(eventpoll|eventfd)]");

    @Override
    public String name() {
      return "open descriptor";
    }

    @Override
    public Map<String, Long> live() {
      Map<String, Long> live = new HashMap<>();
      for (Path descriptor : list(DIRECTORY, "*")) {
        String target = target(descriptor);
        if (!OF_THE_JVM.matcher(target).matches()) {
          live.merge(target, 1L, Long::sum);
        }
      }
      return live;
    }

    private static String target(Path descriptor) {
      try {
        return Files.readSymbolicLink(descriptor).toString();
      } catch (NoSuchFileException | NotLinkException e) {
        // Closed since it was listed, as the descriptor of the listing itself always is.
        return "/proc/closed";
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * Files of Forebay in the shared memory of the machine: {@code forebay-PID-...}, without those of
   * processes that run beside this one and were not started by it.
   */
  static final class SharedMemory implements LeakCheck.Probe {
    private static final Path DIRECTORY = Path.of("/dev/shm");
    private static final Pattern OWNER = Pattern.compile(PREFIX + "-([0-9]{1,18})(-.*)?");

    @Override
    public String name() {
      return "shared memory";
    }

    @Override
    public Map<String, Long> live() {
      Map<String, Long> live = new HashMap<>();
      for (Path path : list(DIRECTORY, PREFIX + "*")) {
        if (!isForeign(path.getFileName().toString())) {
          live.put(path.toString(), 1L);
        }
      }
      return live;
    }

    private static boolean isForeign(String fileName) {
      Matcher owner = OWNER.matcher(fileName);
      return owner.matches()
          && ProcessHandle.of(Long.parseLong(owner.group(1)))
              .map(process -> !isOurs(process))
              .orElse(false);
    }

    private static boolean isOurs(ProcessHandle process) {
      return process.equals(ProcessHandle.current())
          || process.parent().map(SharedMemory::isOurs).orElse(false);
    }
  }

  private static List<Path> list(Path directory, String glob) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
      return StreamSupport.stream(entries.spliterator(), false).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
