package dev.forebay.storage;

class PathDirectoriesTest extends DirectoryReaderContract {
  @Override
  DirectoryReader reader() {
    return new PathDirectories();
  }
}
