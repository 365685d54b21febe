package dev.forebay.storage;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The calls into the C library that reading files and directories needs, on 64-bit Linux (x86-64
 * and AArch64; glibc 2.30 or musl 1.2.5, and later). Thread-safe; no call allocates.
 *
 * <p>Addresses are passed as plain numbers, so the caller keeps the memory alive during a call. A
 * result below 0 means failure, and {@link #errno} then tells why. Where {@link #isAvailable()} is
 * false, no other method may be called.
 */
final class Libc {
  /** The size of the memory in which a call leaves its {@code errno}; aligned to 8 bytes. */
  static final long CAPTURE_BYTES = 64;

  static final int O_RDONLY = 0;

  /** Opening never waits, not even for the writer of a FIFO. Without effect on regular files. */
  static final int O_NONBLOCK = 0x800;

  /** A child process does not inherit the file. */
  static final int O_CLOEXEC = 0x80000;

  static final int EPERM = 1;
  static final int ENOENT = 2;
  static final int EINTR = 4;
  static final int EACCES = 13;

  /* Design: handles are static and final so that the JIT sees them as constants. Where the platform
   * is unknown, a symbol is absent or native access is denied, a handle that does nothing takes the
   * place and MISSING, filled before AVAILABLE is computed, says which. */
  private static final List<String> MISSING = new ArrayList<>();
  private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");
  private static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));
  private static final long ERROR_TEXT_BYTES_MAX = 256;

  private static final MethodHandle OPEN =
      handle("open", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT), CAPTURE);
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), CAPTURE);
  private static final MethodHandle PREAD =
      handle(
          "pread",
          FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          CAPTURE);
  private static final MethodHandle STATX =
      handle(
          "statx",
          FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG),
          CAPTURE);
  private static final MethodHandle GETDENTS =
      handle(
          "getdents64", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG), CAPTURE);
  private static final MethodHandle STRERROR =
      handle("strerror", FunctionDescriptor.of(JAVA_LONG, JAVA_INT));

  private static final boolean AVAILABLE = MISSING.isEmpty();

  private Libc() {}

  @SuppressWarnings("restricted") // the one place where native code is bound
  private static MethodHandle handle(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    try {
      if (isKnownPlatform()) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup lookup = linker.defaultLookup();
        return linker.downcallHandle(lookup.findOrThrow(name), descriptor, options);
      }
    } catch (IllegalCallerException | java.util.NoSuchElementException absent) {
      MISSING.add(name + ": " + absent.getMessage());
      return absentCall(descriptor, options);
    }
    MISSING.add(name + ": unknown platform");
    return absentCall(descriptor, options);
  }

  private static boolean isKnownPlatform() {
    return "Linux".equals(System.getProperty("os.name"))
        && Set.of("amd64", "x86_64", "aarch64").contains(System.getProperty("os.arch"));
  }

  private static MethodHandle absentCall(FunctionDescriptor descriptor, Linker.Option[] options) {
    MethodType type = descriptor.toMethodType();
    return MethodHandles.empty(
        options.length == 0 ? type : type.insertParameterTypes(0, MemorySegment.class));
  }

  /** True if every call exists here and native access is allowed. */
  static boolean isAvailable() {
    return AVAILABLE;
  }

  /** Opens a file; returns its descriptor. */
  static int open(MemorySegment capture, long pathAddress, int flags) {
    try {
      return (int) OPEN.invokeExact(capture, pathAddress, flags);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** Closes a descriptor; never to be repeated, since the descriptor is free even on failure. */
  static int close(MemorySegment capture, int descriptor) {
    try {
      return (int) CLOSE.invokeExact(capture, descriptor);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** Reads up to {@code bytes} at {@code offset}; 0 means the end of the file. */
  static long pread(MemorySegment capture, int descriptor, long into, long bytes, long offset) {
    try {
      return (long) PREAD.invokeExact(capture, descriptor, into, bytes, offset);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** Describes a file as {@link StatxLayout} says. */
  static int statx(MemorySegment capture, int directory, long pathAddress, int flags, long into) {
    try {
      int mask = StatxLayout.BASIC_STATS;
      return (int) STATX.invokeExact(capture, directory, pathAddress, flags, mask, into);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** Reads the next entries of a directory; 0 means the end. */
  static long getdents(MemorySegment capture, int descriptor, long into, long bytes) {
    try {
      return (long) GETDENTS.invokeExact(capture, descriptor, into, bytes);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** Why the last call that was given {@code capture} failed. */
  static int errno(MemorySegment capture) {
    return capture.get(JAVA_INT, ERRNO_OFFSET);
  }

  /** The system's words for an error number. */
  @SuppressWarnings("restricted") // the C library returns the address of a short, constant text
  static String errorText(int errno) {
    try {
      long address = (long) STRERROR.invokeExact(errno);
      return MemorySegment.ofAddress(address).reinterpret(ERROR_TEXT_BYTES_MAX).getString(0);
    } catch (Throwable failure) {
      throw unexpected(failure);
    }
  }

  /** The exception for an error number, with path and words. */
  static IOException failure(int errno, String path) {
    String text = errorText(errno);
    return switch (errno) {
      case ENOENT -> new NoSuchFileException(path, null, text);
      case EACCES, EPERM -> new AccessDeniedException(path, null, text);
      default -> new FileSystemException(path, null, text + " (errno " + errno + ")");
    };
  }

  private static RuntimeException unexpected(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException exception) {
      return exception;
    }
    return new IllegalStateException("a native call failed", failure);
  }
}
