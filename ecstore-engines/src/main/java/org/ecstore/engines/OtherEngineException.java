package org.ecstore.engines;

import java.nio.file.Path;

/** The directory is another engine's: of another kind or format, and stays so. */
public final class OtherEngineException extends EngineOpenException {
  public OtherEngineException(Path directory, String message) {
    super(directory, message);
  }
}
