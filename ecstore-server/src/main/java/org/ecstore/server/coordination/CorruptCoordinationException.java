package org.ecstore.server.coordination;

import java.io.IOException;
import java.nio.file.Path;

/** The file that keeps the coordination values is damaged. Nothing was changed on disk. */
public final class CorruptCoordinationException extends IOException {
  private static final long serialVersionUID = 1L;

  CorruptCoordinationException(Path file, String damage) {
    super(
        "the coordination file "
            + file
            + " is damaged: "
            + damage
            + ". Nothing was changed. Restore this file from a backup of the directory; without it"
            + " the cluster's map is unknown.");
  }
}
