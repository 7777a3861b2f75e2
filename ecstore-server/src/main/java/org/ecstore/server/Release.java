package org.ecstore.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The release of this code, as the build wrote it into a resource. */
public final class Release {
  private static final String RESOURCE = "version.properties";

  private Release() {}

  /** Its number. */
  public static String version() {
    Properties properties = new Properties();
    try (InputStream in = Release.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + RESOURCE);
      }
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version", "unknown");
  }
}
