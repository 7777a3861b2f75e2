package org.ecstore.engines;

import java.nio.file.Path;

/** An engine could not be opened; the message names the directory, the cause and what to do. */
public class EngineOpenException extends RuntimeException {
  private final transient Path directory;

  public EngineOpenException(Path directory, String message, Throwable cause) {
    super(message, cause);
    this.directory = directory;
  }

  public EngineOpenException(Path directory, String message) {
    super(message);
    this.directory = directory;
  }

  /** The directory of the engine. */
  public Path directory() {
    return directory;
  }
}
