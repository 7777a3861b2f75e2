package org.ecstore.server.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What exceptions of the file system mean, whose messages are often a path and nothing else. */
public final class FileErrors {
  private static final String DIRECTORY = "is a directory, not a file";

  /** In the words of the operating system, for which the library has no class of exceptions. */
  private static final List<String> OF_THE_PLACE =
      List.of(
          DIRECTORY,
          "Is a directory",
          "Not a directory",
          "Read-only file system",
          "Operation not permitted",
          "File name too long",
          "Too many levels of symbolic links");

  private static final List<String> PASSING =
      List.of(
          "No space left on device",
          "Disk quota exceeded",
          "Too many open files",
          "Cannot allocate memory",
          "Input/output error");

  private FileErrors() {}

  /**
   * Refuses a directory where a file has to be read. The library's own exception for it does not
   * say which.
   */
  public static void mustBeFile(Path file) throws FileSystemException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, DIRECTORY);
    }
  }

  /**
   * Whether the place itself is wrong: not there, not a directory, not to be used by this user. It
   * stays so until an operator changes it.
   */
  public static boolean isOfThePlace(IOException exception) {
    return exception instanceof NoSuchFileException
        || exception instanceof AccessDeniedException
        || exception instanceof FileAlreadyExistsException
        || exception instanceof NotDirectoryException
        || exception instanceof FileSystemLoopException
        || says(words(exception), OF_THE_PLACE);
  }

  /**
   * Whether something that is no file's fault kept a file from being used: a full disk, too many
   * open files. It may pass by itself.
   */
  public static boolean mayPass(IOException exception) {
    return says(words(exception), PASSING);
  }

  private static @Nullable String words(IOException exception) {
    return exception instanceof FileSystemException file
        ? file.getReason()
        : exception.getMessage();
  }

  private static boolean says(@Nullable String text, List<String> some) {
    return text != null && some.stream().anyMatch(text::contains);
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
