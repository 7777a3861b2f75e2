package org.ecstore.server.file;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What exceptions of the file system mean, whose messages are often a path and nothing else. */
public final class FileErrors {
  private FileErrors() {}

  /** What went wrong with the file, in words. */
  public static String reason(FileSystemException exception) {
    return switch (exception) {
      case NoSuchFileException absent -> "no such file or directory";
      case AccessDeniedException denied -> "permission denied";
      case FileAlreadyExistsException there -> "is there already, and no directory";
      default -> {
        String reason = exception.getReason();
        yield reason == null ? exception.getClass().getSimpleName() : reason;
      }
    };
  }
}
