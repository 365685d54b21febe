package dev.forebay.dataset;

import static dev.forebay.testing.Thrown.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.forebay.Batch;
import dev.forebay.DataLoader;
import dev.forebay.error.ConfigurationException;
import dev.forebay.memory.DType;
import dev.forebay.sampler.PythonScript;
import dev.forebay.testing.LeakCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Windows of tokens, compared with those that NumPy cuts. */
@ExtendWith(LeakCheck.class)
class TokenDatasetTest {
  @TempDir private Path folder;

  private static byte[] drain(Dataset dataset, String field) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataLoader loader = DataLoader.builder(dataset).batchSize(3).workers(2).build()) {
      for (Batch batch : loader) {
        bytes.writeBytes(batch.tensor(field).toBytes());
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void windows_everyTypeAndFile_equalNumPys() throws IOException, InterruptedException {
    List<String> lines = PythonScript.run("token_reference.py", folder.toString());
    Set<String> fingerprints = new HashSet<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      Path file = folder.resolve(words[0]);
      TokenDataset.Builder builder =
          TokenDataset.builder(file)
              .window(Integer.parseInt(words[2]))
              .stride(Long.parseLong(words[3]))
              .targets(true);
      if (!Files.exists(MegatronIndex.beside(file))) {
        builder.dtype(DType.valueOf(words[1].toUpperCase(Locale.ROOT)));
      }
      try (TokenDataset dataset = builder.open()) {
        assertEquals(Long.parseLong(words[4]), dataset.size(), line);
        fingerprints.add(dataset.fingerprint());
        for (String field : List.of("tokens", "targets")) {
          byte[] expected = Files.readAllBytes(folder.resolve(words[0] + "." + field));
          assertArrayEquals(expected, drain(dataset, field), () -> line + " " + field);
        }
      }
    }
    assertEquals(lines.size(), fingerprints.size());
  }

  private Path write(String name, byte... content) throws IOException {
    return Files.write(folder.resolve(name), content);
  }

  @Test
  void fingerprint_otherContent_differs() throws IOException {
    Path file = write("a.bin", new byte[400_000]);
    byte[] other = new byte[400_000];
    other[399_999] = 1;
    try (TokenDataset before = TokenDataset.builder(file).open();
        TokenDataset targets = TokenDataset.builder(file).targets(true).open()) {
      String fingerprint = before.fingerprint();
      assertNotEquals(fingerprint, targets.fingerprint());
      other[399_999] = 0;
      other[0] = 1;
      try (TokenDataset after = TokenDataset.builder(write("b.bin", other)).open()) {
        assertNotEquals(fingerprint, after.fingerprint());
      }
    }
  }

  @Test
  void files_notAsTheyShouldBe_areRefusedWithTheirName() throws IOException {
    assertFails(
        ConfigurationException.class,
        "none.bin does not exist",
        () -> TokenDataset.builder(folder.resolve("none.bin")).open());
    Path odd = write("odd.bin", new byte[7]);
    assertFails(
        ConfigurationException.class,
        "7 bytes are not a whole number of uint16",
        () -> TokenDataset.builder(odd).open());
    assertFails(
        IllegalArgumentException.class,
        "float32 is no type of tokens",
        () -> TokenDataset.builder(odd).dtype(DType.FLOAT32));
    assertFails(
        IllegalArgumentException.class, "window=0", () -> TokenDataset.builder(odd).window(0));
    Path empty = write("empty.bin");
    try (TokenDataset dataset = TokenDataset.builder(empty).open()) {
      assertEquals(0, dataset.size());
    }
  }

  @Test
  void megatronIndex_damaged_isRefusedWithTheReason() throws Exception {
    PythonScript.run("token_reference.py", folder.toString());
    Path file = folder.resolve("tokens9.bin");
    byte[] index = Files.readAllBytes(folder.resolve("tokens9.idx"));
    assertFails(
        ConfigurationException.class,
        "are uint16, not int32",
        () -> TokenDataset.builder(file).dtype(DType.INT32).open());
    byte[][] damaged = {index.clone(), index.clone(), index.clone(), new byte[20], index.clone()};
    damaged[0][0] = 'X';
    damaged[1][9] = 2;
    damaged[2][17] = 7;
    damaged[4][18]++;
    String[] reasons = {"begin", "version 2", "type code 7", "cut short", "do not fit"};
    for (int i = 0; i < damaged.length; i++) {
      Files.write(folder.resolve("tokens9.idx"), damaged[i]);
      assertFails(
          ConfigurationException.class, reasons[i], () -> TokenDataset.builder(file).open());
    }
    Files.write(folder.resolve("tokens9.idx"), index);
    Files.write(file, new byte[1002]);
    assertFails(
        ConfigurationException.class,
        "ends at byte 1000, the tokens at 1002",
        () -> TokenDataset.builder(file).open());
  }
}
