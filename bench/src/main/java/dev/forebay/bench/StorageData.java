package dev.forebay.bench;

import dev.forebay.cli.console.ProgressLine;
import dev.forebay.cli.console.Quantities;
import dev.forebay.transform.Randomness;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes data sets as MLPerf Storage's generator does: real files of the format, with random
 * content, which nothing can compress. {@code index.txt} lists every sample: file, offset, bytes.
 * Used by one thread.
 */
final class StorageData {
  private static final int MASK_DELTA = 0xa282ead8;

  private final Path root;
  private final StorageModel model;
  private final Randomness random = new Randomness();
  private final List<String> index = new ArrayList<>();

  StorageData(Path root, StorageModel model) {
    this.root = root;
    this.model = model;
  }

  /** Writes files of that size altogether, unless they are there; returns the index. */
  Path make(long bytes, ProgressLine progress) throws IOException {
    Path folder = root.resolve("mlperf-%s-%d".formatted(model.id(), bytes));
    Path done = folder.resolve("index.txt");
    if (Files.exists(done)) {
      return done;
    }
    Files.createDirectories(folder);
    long written = 0;
    for (int number = 0; written < bytes; number++) {
      random.startSample(0x53746F72L, 0, number);
      written += write(folder, number);
      long soFar = written;
      progress.update(
          () ->
              "making %s: %s of %s"
                  .formatted(
                      folder,
                      Quantities.rounded((double) soFar),
                      Quantities.rounded((double) bytes)));
    }
    Path part = folder.resolve("index.part");
    Files.write(part, index);
    Files.move(part, done, StandardCopyOption.ATOMIC_MOVE);
    return done;
  }

  private long write(Path folder, int number) throws IOException {
    return switch (model.format()) {
      case NPZ -> writeNpz(folder.resolve("img_%06d.npz".formatted(number)));
      case TFRECORD -> writeRecords(folder.resolve("img_%06d.tfrecord".formatted(number)));
      case JPEG -> writeJpeg(folder.resolve("img_%06d.jpg".formatted(number)), number);
    };
  }

  /** Normally distributed, but at least a tenth of the mean. */
  private int drawBytes() {
    double bytes = model.bytes() + model.deviation() * random.nextGaussian();
    return (int) Math.clamp(bytes, model.bytes() / 10.0, Integer.MAX_VALUE - 1024.0);
  }

  private byte[] content(int bytes) {
    byte[] content = new byte[bytes];
    ByteBuffer buffer = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    while (buffer.remaining() >= Long.BYTES) {
      buffer.putLong(random.nextLong());
    }
    return content;
  }

  /** A zip archive with one array, stored as it is, as numpy.savez writes it. */
  private long writeNpz(Path file) throws IOException {
    byte[] content = content(drawBytes());
    String shape =
        "{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }".formatted(content.length);
    int headerBytes = (10 + shape.length() + 1 + 63) / 64 * 64;
    String padded = shape + " ".repeat(headerBytes - 10 - shape.length() - 1) + "\n";
    ByteBuffer header = ByteBuffer.allocate(headerBytes).order(ByteOrder.LITTLE_ENDIAN);
    header.put((byte) 0x93).put("NUMPY".getBytes(StandardCharsets.US_ASCII));
    header.put((byte) 1).put((byte) 0).putShort((short) padded.length());
    header.put(padded.getBytes(StandardCharsets.US_ASCII));
    ZipEntry entry = new ZipEntry("x.npy");
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(headerBytes + (long) content.length);
    CRC32 crc = new CRC32();
    crc.update(header.array());
    crc.update(content);
    entry.setCrc(crc.getValue());
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      zip.putNextEntry(entry);
      zip.write(header.array());
      zip.write(content);
      zip.closeEntry();
    }
    long bytes = Files.size(file);
    index.add(file.getFileName() + " 0 " + bytes);
    return bytes;
  }

  /** Length, masked CRC of the length, data, masked CRC of the data; as TensorFlow writes them. */
  private long writeRecords(Path file) throws IOException {
    long at = 0;
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      for (int i = 0; i < model.samplesPerFile(); i++) {
        byte[] content = content(drawBytes());
        ByteBuffer head = ByteBuffer.allocate(12).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(content.length);
        head.putInt(masked(head.array(), Long.BYTES));
        ByteBuffer tail = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
        tail.putInt(masked(content, content.length));
        out.write(head.array());
        out.write(content);
        out.write(tail.array());
        index.add("%s %d %d".formatted(file.getFileName(), at + 12, content.length));
        at += 16L + content.length;
      }
    }
    return at;
  }

  private static int masked(byte[] content, int length) {
    CRC32C crc = new CRC32C();
    crc.update(content, 0, length);
    return Integer.rotateRight((int) crc.getValue(), 15) + MASK_DELTA;
  }

  private long writeJpeg(Path file, int number) throws IOException {
    PhotoMaker.write(file, number, PhotoMaker.Size.LARGE);
    long bytes = Files.size(file);
    index.add(file.getFileName() + " 0 " + bytes);
    return bytes;
  }
}
