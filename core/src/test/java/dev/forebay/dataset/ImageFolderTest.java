package dev.forebay.dataset;

import static dev.forebay.testing.Thrown.assertMentions;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.DataLoader;
import dev.forebay.error.ConfigurationException;
import dev.forebay.sampler.PythonScript;
import dev.forebay.storage.ObjectRange;
import dev.forebay.testing.LeakCheck;
import dev.forebay.testing.Seeds;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class ImageFolderTest {
  private static final int TREES = 5;

  @TempDir private Path folder;

  private void touch(String... names) throws IOException {
    for (String name : names) {
      Path file = folder.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, name);
    }
  }

  private ImageFolder open() {
    return ImageFolder.builder(folder).withoutIndex().open();
  }

  private List<String> samples(ImageFolder images) {
    List<String> samples = new ArrayList<>();
    for (long id = 0; id < images.size(); id++) {
      samples.add(images.label(id) + " " + folder.relativize(images.path(id)));
    }
    return samples;
  }

  private static byte[] location(ImageFolder images, long id) {
    try (ObjectRange range = new ObjectRange()) {
      images.locate(id, range);
      MemorySegment utf8 = range.locationUtf8();
      int end = 0;
      while (utf8.get(ValueLayout.JAVA_BYTE, end) != 0) {
        end++;
      }
      return utf8.asSlice(0, end).toArray(ValueLayout.JAVA_BYTE);
    }
  }

  @Test
  void open_classesAndNestedFolders_areInOrder() throws IOException {
    touch("dog/b.png", "dog/a.jpg", "cat/z.jpg", "cat/sub/y.jpg", "cat/sub x/w.jpg", "cat/n.txt");
    touch("cat/sub0/v.jpg", "top.jpg");
    try (ImageFolder images = open()) {
      assertEquals(List.of("cat", "dog"), images.classes());
      assertEquals(
          List.of(
              "0 cat/z.jpg",
              "0 cat/sub/y.jpg",
              "0 cat/sub x/w.jpg",
              "0 cat/sub0/v.jpg",
              "1 dog/a.jpg",
              "1 dog/b.png"),
          samples(images));
      assertEquals(folder.resolve("dog/b.png").toString(), images.describe(5));
    }
  }

  @Tag("python")
  @Test
  void open_oddNames_equalsTorchvision() throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(List.of(folder.toString()));
    for (int tree = 0; tree < TREES; tree++) {
      arguments.add(Long.toString(Seeds.derive("tree" + tree) >>> 1));
    }
    List<String> expected =
        PythonScript.run("torchvision_image_folder.py", arguments.toArray(new String[0]));
    List<String> found = new ArrayList<>();
    for (String tree : arguments.subList(1, arguments.size())) {
      Path root = folder.resolve(tree).resolve("root");
      found.add("tree " + tree);
      try (ImageFolder images = ImageFolder.builder(root).withoutIndex().open()) {
        found.addAll(listed(images, root));
      }
    }
    assertEquals(String.join("\n", expected), String.join("\n", found));
  }

  /** In the form of the script; class names come from the first part of the paths. */
  private static List<String> listed(ImageFolder images, Path root) {
    int rootBytes = root.toString().getBytes(StandardCharsets.UTF_8).length + 1;
    List<String> classes = new ArrayList<>();
    List<String> samples = new ArrayList<>();
    for (long id = 0; id < images.size(); id++) {
      String path = new String(location(images, id), StandardCharsets.ISO_8859_1);
      String relative = path.substring(rootBytes);
      if (images.label(id) == classes.size()) {
        classes.add("class " + hex(relative.substring(0, relative.indexOf('/'))));
      }
      samples.add("sample " + images.label(id) + " " + hex(relative));
    }
    assertEquals(images.classes().size(), classes.size());
    classes.addAll(samples);
    return classes;
  }

  private static String hex(String latin1) {
    return HexFormat.of().formatHex(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void load_throughALoader_deliversTheFiles() throws IOException {
    touch("a/1.jpg", "b/2.jpg", "b/süß 🐟.jpg");
    try (ImageFolder images = open();
        DataLoader loader = DataLoader.builder(images).batchSize(3).workers(1).build()) {
      List<String> contents = new ArrayList<>();
      for (var batch : loader) {
        try (batch) {
          for (int row = 0; row < batch.size(); row++) {
            long label = batch.value("label", row).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
            byte[] bytes = batch.bytes("image", row);
            contents.add(label + " " + new String(bytes, StandardCharsets.UTF_8));
          }
        }
      }
      assertEquals(List.of("0 a/1.jpg", "1 b/2.jpg", "1 b/süß 🐟.jpg"), contents);
    }
  }

  @Test
  void open_emptyClasses_areNamedUnlessAllowed() throws IOException {
    touch("full/1.jpg", "empty/readme.txt");
    Files.createDirectories(folder.resolve("bare/sub"));
    assertMentions(
        assertThrows(ConfigurationException.class, this::open),
        "bare, empty;",
        ".webp",
        "allowEmpty");
    try (ImageFolder images = ImageFolder.builder(folder).withoutIndex().allowEmpty(true).open()) {
      assertEquals(List.of("bare", "empty", "full"), images.classes());
      assertEquals(List.of("2 full/1.jpg"), samples(images));
    }
  }

  @Test
  void open_manyEmptyClasses_areCountedAndSomeNamed() throws IOException {
    for (int number = 0; number < 30; number++) {
      Files.createDirectory(folder.resolve("class" + number));
    }
    Throwable refused = assertThrows(ConfigurationException.class, this::open);
    assertMentions(refused, "30 of the classes", "class0, ", ", ...");
    assertTrue(String.valueOf(refused.getMessage()).length() < 1000);
  }

  @Test
  void open_rootThatIsNoClassFolder_saysWhy() throws IOException {
    touch("file.jpg");
    assertMentions(
        assertThrows(ConfigurationException.class, this::open), "no class folder", "" + folder);
    assertMentions(
        assertThrows(
            ConfigurationException.class, () -> ImageFolder.open(folder.resolve("missing"))),
        "root=" + folder.resolve("missing"),
        "No such file");
    assertMentions(
        assertThrows(
            ConfigurationException.class, () -> ImageFolder.open(folder.resolve("file.jpg"))),
        "root=" + folder.resolve("file.jpg"));
  }

  @Test
  void open_linkThatLeadsBack_isAnErrorThatNamesIt() throws IOException {
    touch("a/b/1.jpg");
    Files.createSymbolicLink(folder.resolve("a/b/loop"), folder.resolve("a"));
    assertMentions(
        assertThrows(ConfigurationException.class, this::open),
        folder.resolve("a/b/loop") + " leads back to " + folder.resolve("a"));
    Files.delete(folder.resolve("a/b/loop"));
    Files.createSymbolicLink(folder.resolve("itself"), folder);
    assertMentions(
        assertThrows(ConfigurationException.class, this::open), folder.resolve("itself"));
  }

  @Test
  void open_twoLinksToOneFolder_countItTwice() throws IOException {
    touch("a/1.jpg");
    Files.createSymbolicLink(folder.resolve("b"), folder.resolve("a"));
    try (ImageFolder images = open()) {
      assertEquals(List.of("0 a/1.jpg", "1 b/1.jpg"), samples(images));
    }
  }

  @Test
  void extensions_ofTheUser_replaceTheUsualOnes() throws IOException {
    touch("a/1.jpg", "a/2.XYZ", "a/3.npy");
    try (ImageFolder images =
        ImageFolder.builder(folder).withoutIndex().extensions(Set.of(".xyz", ".NPY")).open()) {
      assertEquals(List.of("0 a/2.XYZ", "0 a/3.npy"), samples(images));
    }
    assertThrows(
        IllegalArgumentException.class, () -> ImageFolder.builder(folder).extensions(Set.of()));
  }

  @Test
  void fingerprint_pathsOrClassesDiffer_differs() throws IOException {
    touch("a/1.jpg", "b/1.jpg");
    String before = fingerprint();
    assertEquals(before, fingerprint());
    touch("a/notes.txt");
    assertEquals(before, fingerprint());
    Files.writeString(folder.resolve("a/1.jpg"), "another image");
    assertEquals(before, fingerprint());
    touch("a/2.jpg");
    String more = fingerprint();
    assertNotEquals(before, more);
    Files.move(folder.resolve("a/2.jpg"), folder.resolve("b/2.jpg"));
    assertNotEquals(more, fingerprint());
    Files.delete(folder.resolve("b/2.jpg"));
    assertEquals(before, fingerprint());
    Files.createDirectory(folder.resolve("aa"));
    assertNotEquals(before, fingerprint());
  }

  private String fingerprint() {
    try (ImageFolder images = ImageFolder.builder(folder).withoutIndex().allowEmpty(true).open()) {
      return images.fingerprint();
    }
  }

  @Test
  void fingerprint_movedRoot_staysTheSame() throws IOException {
    touch("x/a/1.jpg", "y/a/1.jpg");
    try (ImageFolder x = ImageFolder.builder(folder.resolve("x")).withoutIndex().open();
        ImageFolder y = ImageFolder.builder(folder.resolve("y")).withoutIndex().open()) {
      assertEquals(x.fingerprint(), y.fingerprint());
      assertTrue(x.fingerprint().matches("images-[0-9a-f]{32}"), x.fingerprint());
    }
  }

  @Test
  void locate_manySamples_givesPathsThatExist() throws IOException {
    touch("a/1.jpg", "a/x/2.jpg", "b/3.jpg");
    try (ImageFolder images = open()) {
      for (long id = 0; id < images.size(); id++) {
        String path = new String(location(images, id), StandardCharsets.UTF_8);
        assertEquals(images.describe(id), path);
        assertTrue(Files.isRegularFile(Path.of(path)), path);
      }
      assertThrows(IndexOutOfBoundsException.class, () -> location(images, 3));
      assertThrows(IndexOutOfBoundsException.class, () -> images.label(-1));
    }
  }

  @Test
  void progress_endOfTheScan_isReported() throws IOException {
    touch("a/1.jpg", "a/2.jpg", "b/3.jpg");
    List<String> lines = new CopyOnWriteArrayList<>();
    ImageFolder.builder(folder).withoutIndex().progress(lines::add).open().close();
    assertTrue(
        lines.getLast().startsWith("indexed " + folder + ": 3 files in 2 classes"),
        lines::toString);
  }

  @Test
  void open_twentyThousandFiles_findsThemAll() throws IOException {
    for (int number = 0; number < 20_000; number++) {
      Path directory = folder.resolve("class%03d".formatted(number % 100));
      if (number < 100) {
        Files.createDirectory(directory);
      }
      Files.createFile(directory.resolve("image_%08d.jpg".formatted(number)));
    }
    try (ImageFolder images = open()) {
      assertEquals(20_000, images.size());
      assertEquals(100, images.classes().size());
      assertEquals(folder.resolve("class099/image_00019999.jpg"), images.path(19_999));
      assertEquals(50, images.label(10_000));
    }
  }

  @Test
  void close_twice_isHarmlessAndEndsUse() throws IOException {
    touch("a/1.jpg");
    ImageFolder images = open();
    images.close();
    images.close();
    assertThrows(IllegalStateException.class, () -> images.label(0));
  }
}
