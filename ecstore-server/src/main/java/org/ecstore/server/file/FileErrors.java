package org.ecstore.server.file;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** What exceptions of the file system mean, whose messages are often a path and nothing else. */
public final class FileErrors {
  private FileErrors() {}

  /**
   * Refuses a directory where a file is to be read. The library's own exception for it does not say
   * which.
   */
  public static void mustBeFile(Path file) throws FileSystemException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "is a directory, not a file");
    }
  }

  /**
   * Whether the place itself is wrong: not there, not a directory, not to be used by this user. It
   * stays so until an operator changes it.
   */
  public static boolean isOfThePlace(FileSystemException exception) {
    return exception instanceof NoSuchFileException
        || exception instanceof AccessDeniedException
        || exception instanceof FileAlreadyExistsException
        || exception instanceof NotDirectoryException;
  }

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
