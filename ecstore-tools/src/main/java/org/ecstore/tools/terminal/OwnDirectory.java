package org.ecstore.tools.terminal;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ecstore.server.file.FileErrors;

/** A directory that a command is given for what it makes. */
public final class OwnDirectory {
  private OwnDirectory() {}

  /**
   * Makes it if it is not there.
   *
   * @throws BadInputException if something is in it, or nothing can be written
   */
  public static void checkEmpty(Path given) throws IOException {
    try {
      Files.createDirectories(given);
      try (var files = Files.list(given)) {
        if (files.findAny().isPresent()) {
          throw new BadInputException("--dir " + given + " is not empty");
        }
      }
      Files.delete(Files.createTempFile(given, "write-", ".probe"));
    } catch (FileSystemException e) {
      throw new BadInputException("--dir " + given + " cannot be used: " + FileErrors.reason(e));
    }
  }
}
