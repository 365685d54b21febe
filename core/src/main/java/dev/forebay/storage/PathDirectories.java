package dev.forebay.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Directories read through {@link Files}, for platforms without {@link NativeDirectories}.
 * Thread-safe. Names pass through the JVM's locale.
 */
final class PathDirectories implements DirectoryReader {

  @Override
  public void list(byte[] path, EntryConsumer consumer) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path(path))) {
      for (Path entry : entries) {
        Path name = Objects.requireNonNull(entry.getFileName(), "an entry has a name");
        byte[] bytes = name.toString().getBytes(StandardCharsets.UTF_8);
        consumer.entry(bytes, 0, bytes.length, Files.isDirectory(entry));
      }
    } catch (DirectoryIteratorException failure) {
      throw failure.getCause();
    }
  }

  @Override
  public FileStatus status(byte[] path) throws IOException {
    Path file = path(path);
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
    Object key = attributes.fileKey();
    long modifiedNanos = attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    return new FileStatus(
        attributes.isDirectory(),
        key == null ? file.toRealPath().toString() : key.toString(),
        attributes.size(),
        modifiedNanos,
        changedNanos(file, modifiedNanos));
  }

  private static long changedNanos(Path file, long modifiedNanos) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return modifiedNanos;
    }
    FileTime changed = (FileTime) Files.getAttribute(file, "unix:ctime");
    return changed.to(TimeUnit.NANOSECONDS);
  }

  private static Path path(byte[] path) throws IOException {
    return ChannelFiles.path(new String(path, StandardCharsets.UTF_8));
  }
}
