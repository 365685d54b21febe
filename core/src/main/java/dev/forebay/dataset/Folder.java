package dev.forebay.dataset;

import java.util.List;

/**
 * What a scan found in one directory.
 *
 * @param path relative to the root, without a slash at its end; empty for the root itself
 * @param label the class it belongs to, or -1 for the root
 * @param modifiedNanos when an entry was added, removed or renamed last
 * @param changedNanos when that or its status was changed last
 * @param files the names of its samples, sorted, one after the other
 */
record Folder(Name path, int label, long modifiedNanos, long changedNanos, Names files) {

  /** A name or path, as the file system keeps it. Immutable by convention. */
  @SuppressWarnings("ArrayRecordComponent") // never compared; the bytes are handed on as they are
  record Name(byte[] bytes) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      return FileName.compare(bytes, other.bytes);
    }
  }

  /**
   * Names one after the other.
   *
   * @param bytes all of them, without anything between
   * @param ends where each ends in {@code bytes}
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Names(byte[] bytes, int[] ends) {
    static Names of(List<byte[]> names) {
      int total = 0;
      for (byte[] name : names) {
        total = Math.addExact(total, name.length);
      }
      byte[] bytes = new byte[total];
      int[] ends = new int[names.size()];
      int end = 0;
      for (int index = 0; index < ends.length; index++) {
        byte[] name = names.get(index);
        System.arraycopy(name, 0, bytes, end, name.length);
        end += name.length;
        ends[index] = end;
      }
      return new Names(bytes, ends);
    }
  }
}
