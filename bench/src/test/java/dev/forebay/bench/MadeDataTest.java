package dev.forebay.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.cli.console.ProgressLine;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the benchmarks make for themselves is what its formats and descriptions say. */
class MadeDataTest {
  @TempDir private Path folder;

  private static String python(String script, Path argument)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(BenchScript.python(), "-c", script, argument.toString())
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), text);
    return text.strip();
  }

  @Test
  void photos_some_haveTheSizeOfPhotographsAndRepeat() throws IOException {
    long bytes = 0;
    for (int number = 0; number < 40; number++) {
      PhotoMaker.write(folder, number);
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(file);
      }
    }
    assertTrue(bytes / 40 > 85_000 && bytes / 40 < 130_000, bytes / 40 + " bytes on average");
    Path again = folder.resolve("again");
    PhotoMaker.write(again, 3);
    assertArrayEquals(
        Files.readAllBytes(folder.resolve("class-03/photo-000003.jpg")),
        Files.readAllBytes(again.resolve("class-03/photo-000003.jpg")));
  }

  private Path make(StorageModel model, long bytes) throws IOException {
    try (ProgressLine progress = new ProgressLine(new PrintWriter(new StringWriter()))) {
      return new StorageData(folder, model).make(bytes, progress);
    }
  }

  @Test
  void npz_file_isReadByNumPy() throws Exception {
    Path index = make(StorageModel.UNET3D, 1);
    String text =
        python(
            """
            import sys, os, numpy
            name, offset, size = open(sys.argv[1]).readline().split()
            path = os.path.join(os.path.dirname(sys.argv[1]), name)
            with numpy.load(path) as arrays:
                print(arrays["x"].dtype, arrays["x"].size + 100 < os.path.getsize(path) == int(size))
            """,
            index);
    assertEquals("uint8 True", text);
  }

  @Test
  void records_file_haveTensorFlowsFraming() throws Exception {
    Path index = make(StorageModel.RESNET50, 1);
    List<String> lines = Files.readAllLines(index);
    assertEquals(1251, lines.size());
    String text =
        python(
            """
            import struct, sys, os
            table = []
            for byte in range(256):
                for _ in range(8):
                    byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
                table.append(byte)
            def masked(data):
                crc = 0xFFFFFFFF
                for byte in data:
                    crc = table[(crc ^ byte) & 255] ^ crc >> 8
                crc ^= 0xFFFFFFFF
                return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF
            rows = [line.split() for line in open(sys.argv[1])]
            with open(os.path.join(os.path.dirname(sys.argv[1]), rows[0][0]), "rb") as file:
                for name, offset, size in rows[:2]:
                    head = file.read(12)
                    assert (struct.unpack("<Q", head[:8])[0], file.tell()) == (int(size), int(offset))
                    data = file.read(int(size))
                    assert struct.unpack("<I", head[8:])[0] == masked(head[:8])
                    assert struct.unpack("<I", file.read(4))[0] == masked(data)
            print("right")
            """,
            index);
    assertEquals("right", text);
  }

  @Test
  void largePhotos_some_haveRetinanetsSize() throws Exception {
    List<String> lines = Files.readAllLines(make(StorageModel.RETINANET, 6_000_000));
    double mean =
        lines.stream()
            .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
            .average()
            .orElse(0);
    assertTrue(mean > 260_000 && mean < 390_000, mean + " bytes on average");
  }

  @Test
  void median_anyNumber_isTheMiddle() {
    Measurement one = new Measurement(1, 0, 0, 0, 0, "");
    Measurement two = new Measurement(2, 0, 0, 0, 0, "");
    Measurement nine = new Measurement(9, 0, 0, 0, 0, "");
    assertEquals(2, CompareReport.median(List.of(nine, one, two), Measurement::rate));
    assertEquals(1.5, CompareReport.median(List.of(two, one), Measurement::rate));
  }
}
