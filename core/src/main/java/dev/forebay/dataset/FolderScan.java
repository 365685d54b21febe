package dev.forebay.dataset;

import dev.forebay.error.ConfigurationException;
import dev.forebay.storage.DirectoryReader;
import dev.forebay.storage.FileStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RecursiveAction;
import org.jspecify.annotations.Nullable;

/**
 * Walks a folder tree in which each directory of the root is a class, several directories at once.
 * Order and choice of files are those of torchvision's {@code DatasetFolder}: classes by name; in
 * each, the directories by path and their files by name. Confined to one call.
 */
final class FolderScan {
  /** Enough to keep a network file system busy; a local one is done with two. */
  private static final int THREADS = 16;

  private static final int ROOT_LABEL = -1;

  private final DirectoryReader reader;
  private final byte[] root;
  private final List<byte[]> extensions;
  private final ScanProgress progress;
  private final Queue<Folder> found = new ConcurrentLinkedQueue<>();

  /**
   * Prepares a scan.
   *
   * @param root the path of the root, with a slash at its end
   * @param extensions what the names of samples end with, in lower case
   */
  FolderScan(
      DirectoryReader reader, byte[] root, Collection<byte[]> extensions, ScanProgress progress) {
    this.reader = reader;
    this.root = root;
    this.extensions = List.copyOf(extensions);
    this.progress = progress;
  }

  /**
   * Scans the tree.
   *
   * @throws IOException if a directory cannot be read
   * @throws ConfigurationException if a symbolic link leads back to a directory above it
   */
  FolderIndex run() throws IOException {
    RootVisit visit = new RootVisit();
    try (ForkJoinPool pool = new ForkJoinPool(THREADS, FolderScan::thread, null, false)) {
      try {
        pool.submit(visit).get();
      } catch (InterruptedException interrupted) {
        pool.shutdownNow();
        Thread.currentThread().interrupt();
        throw new IOException("indexing was interrupted", interrupted);
      } catch (ExecutionException failure) {
        pool.shutdownNow();
        throw unwrapped(failure);
      }
    }
    List<Folder> folders = new ArrayList<>(found);
    found.clear();
    folders.sort(Comparator.comparingInt(Folder::label).thenComparing(Folder::path));
    return FolderIndex.of(folders, visit.classes);
  }

  private static ForkJoinWorkerThread thread(ForkJoinPool pool) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    thread.setName("forebay-index-" + thread.getPoolIndex());
    return thread;
  }

  private static IOException unwrapped(ExecutionException failure) {
    Throwable cause = failure.getCause();
    while (cause != null) {
      if (cause instanceof ConfigurationException wrong) {
        throw wrong;
      }
      if (cause instanceof IOException unreadable) {
        return unreadable;
      }
      cause = cause.getCause();
    }
    throw new IllegalStateException("indexing failed", failure);
  }

  /** The path of an entry of a folder, which is given relative to the root, as is the path. */
  private static byte[] child(byte[] folder, byte[] name) {
    if (folder.length == 0) {
      return name;
    }
    byte[] path = Arrays.copyOf(folder, folder.length + 1 + name.length);
    path[folder.length] = '/';
    System.arraycopy(name, 0, path, folder.length + 1, name.length);
    return path;
  }

  private byte[] absolute(byte[] path) {
    byte[] absolute = Arrays.copyOf(root, root.length + path.length);
    System.arraycopy(path, 0, absolute, root.length, path.length);
    return absolute;
  }

  /** Lists one directory and forks the visits of those in it. */
  private abstract class Visit extends RecursiveAction {
    private static final long serialVersionUID = 1L;

    final transient @Nullable Visit parent;
    final transient byte[] path;
    private transient String identity = "";

    Visit(@Nullable Visit parent, byte[] path) {
      this.parent = parent;
      this.path = path;
    }

    abstract void visit(FileStatus status, List<byte[]> files, List<byte[]> folders);

    abstract boolean isWanted(byte[] buffer, int offset, int bytes);

    @Override
    protected void compute() {
      List<byte[]> files = new ArrayList<>();
      List<byte[]> folders = new ArrayList<>();
      byte[] absolute = absolute(path);
      try {
        // The times are taken before the entries, so that a later change shows in them.
        FileStatus status = reader.status(absolute);
        identity = status.identity();
        checkLoop();
        reader.list(
            absolute,
            (buffer, offset, bytes, isDirectory) -> {
              if (isDirectory) {
                folders.add(Arrays.copyOfRange(buffer, offset, offset + bytes));
              } else if (isWanted(buffer, offset, bytes)) {
                files.add(Arrays.copyOfRange(buffer, offset, offset + bytes));
              }
            });
        visit(status, files, folders);
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    private void checkLoop() {
      for (Visit above = parent; above != null; above = above.parent) {
        if (above.identity.equals(identity)) {
          throw new ConfigurationException(
              "%s leads back to %s, so its samples would have no end; remove the symbolic link"
                  .formatted(FileName.text(absolute(path)), FileName.text(absolute(above.path))));
        }
      }
    }

    void add(int label, FileStatus status, List<byte[]> files) {
      files.sort(FileName::compare);
      Folder.Names names = Folder.Names.of(files);
      Folder.Name name = new Folder.Name(path);
      found.add(new Folder(name, label, status.modifiedNanos(), status.changedNanos(), names));
      progress.add(files.size());
    }
  }

  /** Finds the classes. */
  private final class RootVisit extends Visit {
    private static final long serialVersionUID = 1L;

    private int classes;

    RootVisit() {
      super(null, new byte[0]);
    }

    @Override
    boolean isWanted(byte[] buffer, int offset, int bytes) {
      return false;
    }

    @Override
    void visit(FileStatus status, List<byte[]> files, List<byte[]> folders) {
      add(ROOT_LABEL, status, files);
      folders.sort(FileName::compare);
      classes = folders.size();
      List<Visit> visits = new ArrayList<>();
      for (int label = 0; label < classes; label++) {
        visits.add(new ClassVisit(this, folders.get(label), label));
      }
      invokeAll(visits);
    }
  }

  /** Finds the samples of one directory within a class. */
  private final class ClassVisit extends Visit {
    private static final long serialVersionUID = 1L;

    private final int label;

    ClassVisit(Visit parent, byte[] path, int label) {
      super(parent, path);
      this.label = label;
    }

    @Override
    boolean isWanted(byte[] buffer, int offset, int bytes) {
      for (byte[] extension : extensions) {
        if (FileName.endsWith(buffer, offset, bytes, extension)) {
          return true;
        }
      }
      return false;
    }

    @Override
    void visit(FileStatus status, List<byte[]> files, List<byte[]> folders) {
      add(label, status, files);
      List<Visit> visits = new ArrayList<>();
      for (byte[] folder : folders) {
        visits.add(new ClassVisit(this, child(path, folder), label));
      }
      invokeAll(visits);
    }
  }
}
