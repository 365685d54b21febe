package dev.forebay.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.testing.LeakCheck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.text.MessageFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class IndexFileTest {
  /** A clock by which every directory made in a test has settled. */
  private static final InstantSource LATER =
      InstantSource.offset(InstantSource.system(), Duration.ofHours(2));

  @TempDir private Path folder;

  private Path root;
  private Path index;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  @BeforeEach
  void makeTree() throws IOException {
    root = folder.resolve("root");
    index = folder.resolve("cache/deep/images.idx");
    touch("a/1.jpg");
    touch("a/sub/2.jpg");
    touch("b/3.jpg");
  }

  private void touch(String name) throws IOException {
    Files.createDirectories(root.resolve(name).getParent());
    Files.createFile(root.resolve(name));
  }

  private ImageFolder.Builder builder() {
    return ImageFolder.builder(root).index(index).clock(LATER).progress(lines::add);
  }

  /** Opens the folder and says whether the saved index was used, after checking the result. */
  private boolean isReused(ImageFolder.Builder builder) {
    lines.clear();
    try (ImageFolder saved = builder.open();
        ImageFolder scanned = ImageFolder.builder(root).withoutIndex().open()) {
      assertEquals(scanned.fingerprint(), saved.fingerprint());
      assertEquals(scanned.classes(), saved.classes());
      for (long id = 0; id < scanned.size(); id++) {
        assertEquals(scanned.path(id), saved.path(id));
      }
    }
    assertEquals(1, lines.size(), lines::toString);
    return lines.getFirst().startsWith("the index of " + root + " is up to date: ");
  }

  private boolean isReused() {
    return isReused(builder());
  }

  @Test
  void open_nothingChanged_reusesTheIndex() {
    assertFalse(isReused());
    assertTrue(isReused());
    assertTrue(isReused());
  }

  @Test
  void open_anyDirectoryChanged_scansAgainOnce() throws IOException {
    assertFalse(isReused());
    touch("a/sub/4.jpg");
    assertFalse(isReused());
    assertTrue(isReused());
    touch("c/5.jpg");
    assertFalse(isReused());
    Files.delete(root.resolve("b/3.jpg"));
    touch("b/6.jpg");
    assertFalse(isReused());
    Files.move(root.resolve("a/sub"), root.resolve("a/renamed"));
    assertFalse(isReused());
    assertTrue(isReused());
  }

  @Test
  void open_directoryTimeSetBack_stillScansAgain() throws IOException {
    FileTime before = Files.getLastModifiedTime(root.resolve("a"));
    assertFalse(isReused());
    touch("a/4.jpg");
    Files.setLastModifiedTime(root.resolve("a"), before);
    assertFalse(isReused());
  }

  @Test
  void open_fileReplacedInPlace_reusesTheIndex() throws IOException {
    assertFalse(isReused());
    Files.writeString(root.resolve("a/1.jpg"), "other");
    assertTrue(isReused());
  }

  @Test
  void open_directoryChangedJustNow_savesNoIndex() {
    assertFalse(isReused(builder().clock(InstantSource.system())));
    assertFalse(Files.exists(index));
  }

  @Test
  void open_damagedIndex_isRebuiltWithOneLogLine() throws IOException {
    assertFalse(isReused());
    byte[] good = Files.readAllBytes(index);
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 1;
      assertRebuilt(bad, good);
    }
  }

  @Test
  void open_cutOrForeignIndex_isRebuiltWithOneLogLine() throws IOException {
    assertFalse(isReused());
    byte[] good = Files.readAllBytes(index);
    for (int length : new int[] {0, 7, 39, 40, 100, good.length - 1}) {
      assertRebuilt(Arrays.copyOf(good, length), good);
    }
    assertRebuilt(Arrays.copyOf(good, good.length + 1), good);
    assertRebuilt("a letter to grandmother".getBytes(StandardCharsets.UTF_8), good);
  }

  private void assertRebuilt(byte[] bad, byte[] good) throws IOException {
    Files.write(index, bad);
    List<String> logged = logged(() -> builder().open().close());
    assertEquals(1, logged.size(), logged::toString);
    assertTrue(logged.getFirst().contains(index.toString()), logged::toString);
    assertArrayEquals(good, Files.readAllBytes(index));
  }

  private static List<String> logged(Runnable action) {
    List<String> messages = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord record) {
            messages.add(MessageFormat.format(record.getMessage(), record.getParameters()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.forebay");
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      action.run();
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    return messages;
  }

  @Test
  void open_otherExtensionsOrRoot_doNotShareAnIndex() throws IOException {
    touch("a/1.npy");
    touch("b/2.npy");
    assertFalse(isReused());
    List<String> logged =
        logged(
            () -> {
              try (ImageFolder arrays = builder().extensions(Set.of(".npy")).open()) {
                assertEquals(2, arrays.size());
              }
            });
    assertEquals(1, logged.size(), logged::toString);
    assertTrue(logged.getFirst().contains("another root or other options"), logged::toString);
  }

  @Test
  void open_unwritablePlace_isNoError() throws IOException {
    index = Files.createFile(folder.resolve("file")).resolve("images.idx");
    List<String> logged = logged(() -> assertFalse(isReused()));
    // The file in the way is reported twice: it cannot be read through, nor written through.
    assertTrue(logged.getLast().contains("cannot be saved"), logged::toString);
  }

  @Test
  void save_temporaryFiles_doNotStay() throws IOException {
    Files.createDirectories(index.getParent());
    Path abandoned = index.resolveSibling("images.idx.123.tmp");
    Path other = index.resolveSibling("other.idx.123.tmp");
    Files.createFile(abandoned);
    Files.createFile(other);
    Files.setLastModifiedTime(other, FileTime.from(Instant.EPOCH));
    assertFalse(isReused());
    try (Stream<Path> files = Files.list(index.getParent())) {
      assertEquals(List.of(index, other), files.sorted().toList());
    }
  }

  @Test
  void withoutIndex_folder_writesNothing() throws IOException {
    builder().withoutIndex().open().close();
    assertFalse(Files.exists(index));
  }

  @Test
  void defaultPath_environmentAndHome_followTheXdgSpecification() {
    String xdg = "XDG_CACHE_HOME";
    assertEquals(
        Path.of("/x/forebay/index/k.idx"), IndexFile.defaultPath("k", Map.of(xdg, "/x"), "/h"));
    Path home = Path.of("/h/.cache/forebay/index/k.idx");
    assertEquals(home, IndexFile.defaultPath("k", Map.of(), "/h"));
    assertEquals(home, IndexFile.defaultPath("k", Map.of(xdg, ""), "/h"));
    assertEquals(home, IndexFile.defaultPath("k", Map.of(xdg, "relative"), "/h"));
    assertNull(IndexFile.defaultPath("k", Map.of(), null));
    assertNull(IndexFile.defaultPath("k", Map.of(), "?"));
  }
}
