package dev.forebay.storage;

class ChannelLocalFilesTest extends LocalFilesContract {
  @Override
  LocalFiles open() {
    return new LocalFiles(false);
  }
}
