package dev.forebay.cli.pack;

import dev.forebay.cli.console.ProgressLine;
import dev.forebay.cli.console.Quantities;
import dev.forebay.error.BadDataException;
import dev.forebay.error.ConfigurationException;
import dev.forebay.image.JpegRecoder;
import dev.forebay.stats.Ticker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Copies a tree of files, the JPEG files among them coded anew with restart markers. Can be stopped
 * and started again: a file is there when it is whole, and has its original's time. Used once, by
 * one thread, which starts others.
 */
public final class JpegPacking {
  private static final int FAULTS_LISTED_MAX = 10;
  private static final String PART = ".forebay-part";

  private final Path source;
  private final Path target;
  private final int interval;
  private final ProgressLine progress;
  private final BooleanSupplier isEnding;
  private final List<String> faults = new ArrayList<>();
  private PackReport.Counts counts = PackReport.Counts.NONE;

  /**
   * A packing.
   *
   * @param interval MCUs between two restart markers
   * @param isEnding true once it shall stop; asked after every file
   */
  public JpegPacking(
      Path source, Path target, int interval, ProgressLine progress, BooleanSupplier isEnding) {
    this.source = source;
    this.target = target;
    this.interval = interval;
    this.progress = progress;
    this.isEnding = isEnding;
  }

  /** What became of one file. */
  private record Outcome(PackReport.Counts counts, String fault) {}

  /** Packs with so many threads. */
  public PackReport run(int workers) throws IOException, InterruptedException {
    long start = Ticker.SYSTEM.nanos();
    List<Path> files = list();
    BlockingQueue<JpegRecoder> recoders = new ArrayBlockingQueue<>(workers);
    try (ExecutorService executor = Executors.newFixedThreadPool(workers)) {
      for (int i = 0; i < workers; i++) {
        recoders.add(new JpegRecoder(interval));
      }
      List<Future<Outcome>> outcomes = new ArrayList<>();
      for (Path file : files) {
        outcomes.add(executor.submit(() -> pack(file, recoders)));
      }
      try {
        collect(outcomes, start);
      } catch (Throwable failure) {
        executor.shutdownNow();
        throw failure;
      }
    } finally {
      recoders.forEach(JpegRecoder::close);
      progress.close();
    }
    double seconds = (Ticker.SYSTEM.nanos() - start) / 1e9;
    return new PackReport(
        source, target, interval, files.size(), counts, seconds, faults, isEnding.getAsBoolean());
  }

  private List<Path> list() throws IOException {
    if (target.toAbsolutePath().normalize().startsWith(source.toAbsolutePath().normalize())) {
      throw new ConfigurationException(
          "%s lies inside %s; choose a place outside".formatted(target, source));
    }
    try (Stream<Path> all = Files.walk(source, FileVisitOption.FOLLOW_LINKS)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private void collect(List<Future<Outcome>> outcomes, long start)
      throws IOException, InterruptedException {
    int done = 0;
    for (Future<Outcome> future : outcomes) {
      Outcome outcome = await(future);
      counts = counts.plus(outcome.counts);
      if (!outcome.fault.isEmpty() && faults.size() < FAULTS_LISTED_MAX) {
        faults.add(outcome.fault);
      }
      done++;
      int soFar = done;
      progress.update(() -> text(soFar, outcomes.size(), start));
    }
  }

  private static Outcome await(Future<Outcome> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException failure -> throw failure;
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  private String text(int done, int all, long start) {
    double seconds = (Ticker.SYSTEM.nanos() - start) / 1e9;
    double left = seconds / done * (all - done);
    return String.format(
        Locale.ROOT,
        "%,d of %,d files, %s, %s left",
        done,
        all,
        Quantities.rounded((double) counts.bytesOut()),
        Quantities.roundedSeconds(left));
  }

  private Outcome pack(Path file, BlockingQueue<JpegRecoder> recoders)
      throws IOException, InterruptedException {
    if (isEnding.getAsBoolean()) {
      return new Outcome(PackReport.Counts.NONE, "");
    }
    Path into = target.resolve(source.relativize(file).toString());
    FileTime time = Files.getLastModifiedTime(file);
    if (Files.exists(into) && Files.getLastModifiedTime(into).equals(time)) {
      long bytes = Files.size(into);
      return new Outcome(PackReport.Counts.kept(Files.size(file), bytes), "");
    }
    byte[] content = Files.readAllBytes(file);
    if (!JpegRecoder.isJpeg(content)) {
      write(into, content, time);
      return new Outcome(PackReport.Counts.copied(content.length), "");
    }
    JpegRecoder recoder = recoders.take();
    byte[] recoded;
    try {
      recoded = recoder.recode(content);
    } catch (BadDataException e) {
      write(into, content, time);
      return new Outcome(PackReport.Counts.damaged(content.length), file + ": " + e.getMessage());
    } finally {
      recoders.add(recoder);
    }
    write(into, recoded, time);
    return new Outcome(PackReport.Counts.recoded(content.length, recoded.length), "");
  }

  private static void write(Path into, byte[] content, FileTime time) throws IOException {
    Files.createDirectories(into.toAbsolutePath().getParent());
    Path part = into.resolveSibling(into.getFileName() + PART);
    try {
      Files.write(part, content);
      Files.setLastModifiedTime(part, time);
      Files.move(part, into, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
