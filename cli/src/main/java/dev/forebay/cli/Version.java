package dev.forebay.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The program's version, as the build wrote it down. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    Properties properties = new Properties();
    try (InputStream file = Version.class.getResourceAsStream("version.properties")) {
      properties.load(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read version.properties", e);
    }
    return new String[] {
      "forebay " + properties.getProperty("version"),
      "Java "
          + Runtime.version()
          + ", "
          + System.getProperty("os.name")
          + " "
          + System.getProperty("os.arch")
    };
  }
}
