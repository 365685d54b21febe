package dev.forebay.storage;

class NativeDirectoriesTest extends DirectoryReaderContract {
  @Override
  DirectoryReader reader() {
    return new NativeDirectories();
  }
}
