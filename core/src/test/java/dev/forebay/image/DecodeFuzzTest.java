package dev.forebay.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.forebay.error.BadDataException;
import dev.forebay.memory.DType;
import dev.forebay.memory.Mix64;
import dev.forebay.sampler.PythonScript;
import dev.forebay.testing.LeakCheck;
import dev.forebay.testing.Seeds;
import dev.forebay.transform.Randomness;
import dev.forebay.transform.Transform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Damaged images: each is decoded or refused, and nothing else happens. */
@ExtendWith(LeakCheck.class)
class DecodeFuzzTest {
  private static final int CASES = 12_000;
  private static final int PIXELS_MAX = 1 << 20;

  @TempDir private Path folder;

  private List<byte[]> originals() throws IOException, InterruptedException {
    List<byte[]> files = new ArrayList<>();
    for (String line : PythonScript.run("image_reference.py", folder.toString())) {
      files.add(Files.readAllBytes(folder.resolve(line.substring(0, line.indexOf(' ')))));
    }
    try (JpegRecoder recoder = new JpegRecoder(1)) {
      for (byte[] file : List.copyOf(files)) {
        if (JpegRecoder.isJpeg(file)) {
          files.add(recoder.recode(file)); // with restart markers, parts are cut out
        }
      }
    }
    return files;
  }

  /** One to eight changes, of the kinds that damage and malice make. */
  private static byte[] mutate(byte[] original, List<byte[]> others, Randomness random) {
    byte[] file = original.clone();
    int changes = 1 + random.nextInt(8);
    for (int change = 0; change < changes && file.length > 4; change++) {
      int at = random.nextInt(random.nextBoolean(0.4) ? Math.min(file.length, 64) : file.length);
      switch (random.nextInt(8)) {
        case 0 -> file[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> file[at] = (byte) random.nextLong();
        case 2 -> file[at] = (byte) (random.nextBoolean(0.5) ? 0xFF : 0);
        case 3 -> file = Arrays.copyOf(file, 1 + random.nextInt(file.length));
        case 4 -> {
          int from = random.nextInt(file.length);
          int length = random.nextInt(Math.min(64, file.length - Math.max(at, from)));
          System.arraycopy(file, from, file, at, length);
        }
        case 5 -> {
          byte[] other = others.get(random.nextInt(others.size()));
          int length = random.nextInt(Math.min(other.length, file.length - at));
          System.arraycopy(other, 0, file, at, length);
        }
        case 6 -> file = Arrays.copyOf(file, file.length + random.nextInt(64));
        default -> {
          file[at] = (byte) random.nextInt(4);
          if (at + 1 < file.length) {
            file[at + 1] = (byte) random.nextLong();
          }
        }
      }
    }
    return random.nextBoolean(0.8) ? withChecksums(file) : file;
  }

  /** A PNG file with its checksums put right again, so that damage reaches the decoder. */
  private static byte[] withChecksums(byte[] file) {
    if (file.length < 8 || file[1] != 'P' || file[2] != 'N') {
      return file;
    }
    ByteBuffer buffer = ByteBuffer.wrap(file);
    int at = 8;
    while (at + 12 <= file.length) {
      int length = buffer.getInt(at);
      if (length < 0 || length > file.length - at - 12) {
        return file;
      }
      CRC32 crc = new CRC32();
      crc.update(file, at + 4, length + 4);
      buffer.putInt(at + 8 + length, (int) crc.getValue());
      at += 12 + length;
    }
    return file;
  }

  @Test
  void mutatedFiles_anyFormat_areDecodedOrRefused() throws IOException, InterruptedException {
    decodeMutations(CASES);
  }

  @Test
  @Tag("slow")
  void mutatedFiles_manyMore_areDecodedOrRefused() throws IOException, InterruptedException {
    decodeMutations(20 * CASES);
  }

  private void decodeMutations(int cases) throws IOException, InterruptedException {
    List<byte[]> originals = originals();
    long seed = Seeds.master();
    DecodeImage decode = new DecodeImage(DecodeImage.Mode.RGB, true, PIXELS_MAX, false, "image");
    int refused = 0;
    Randomness random = new Randomness();
    List<Transform> rest = List.of(RandomResizedCrop.of(24), Normalize.imagenet());
    Transform.Fusion fusion = Objects.requireNonNull(decode.fuse(Images.FILE, rest));
    DecodeImage scaling = new DecodeImage(decode.mode(), false, PIXELS_MAX, true, "image");
    List<Transform> small = List.of(RandomResizedCrop.of(3));
    Transform.Fusion scaled = Objects.requireNonNull(scaling.fuse(Images.FILE, small));
    try (Transform.Step turbo = new ImageDecoder(decode, 0, TurboJpeg.isAvailable());
        Transform.Step pass = fusion.step();
        Transform.Step scaledPass = scaled.step();
        Transform.Step standard = new ImageDecoder(decode, 0, false)) {
      for (int number = 0; number < cases; number++) {
        random.startSample(Mix64.mix(seed), 0, number);
        byte[] original = originals.get(random.nextInt(originals.size()));
        byte[] file = mutate(original, originals, random);
        refused += isRefused(turbo, file, number) ? 1 : 0;
        isRefused(pass, file, number); // decodes a part only
        isRefused(scaledPass, file, number);
        if (number % 8 == 0) {
          isRefused(standard, file, number);
        }
      }
    }
    assertTrue(refused > cases / 10, "only " + refused + " files were damaged");
    assertTrue(refused < cases * 19L / 20, refused + " files were refused: nothing is tested");
  }

  private static boolean isRefused(Transform.Step step, byte[] file, int number) {
    try {
      Images.Array image = Images.decode(step, file);
      assertEquals(3, image.shape().dim(image.dtype() == DType.UINT8 ? 2 : 0));
      return false;
    } catch (BadDataException expected) {
      assertTrue(!String.valueOf(expected.getMessage()).isBlank(), "a refusal says why");
      return true;
    } catch (RuntimeException | Error unexpected) {
      throw new AssertionError("file " + number + " of this seed: " + unexpected, unexpected);
    }
  }
}
