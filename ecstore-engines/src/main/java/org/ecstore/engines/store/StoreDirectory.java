package org.ecstore.engines.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.OtherEngineException;

/**
 * The directory of a store says of which kind and format it is: in a file {@code engine} of one
 * line, {@code je 2}. A store of another kind or format is refused before it is touched.
 */
public final class StoreDirectory {
  private static final String NAME = "engine";
  private static final String FRESH = NAME + ".new";

  /** Files that say nothing of what a directory holds. */
  private static final Set<String> OF_NONE =
      Set.of(FRESH, HeldDirectory.LOCK, HeldDirectory.IDENTITY, HeldDirectory.IDENTITY_FRESH);

  private static final String REMEDY =
      "move the directory away so that the node fills its copies anew from the others, or start"
          + " the release and the engine that wrote it";

  private StoreDirectory() {}

  /**
   * What is in a directory.
   *
   * @param kind the name of the kind, as in a configuration file
   * @param format grows with every change that earlier releases cannot read
   */
  public record Format(String kind, int format) {
    private String line() {
      return kind + " " + format;
    }
  }

  /**
   * Makes an empty directory one of that format; of another one sees that it is.
   *
   * @param directory is there
   * @throws EngineOpenException if it is of another kind or format, or is not empty and does not
   *     say of which it is: the message says what to do
   */
  public static void claim(Path directory, Format format) {
    Path file = directory.resolve(NAME);
    check(directory, format);
    try {
      if (!Files.exists(file)) {
        write(file, format);
      }
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  /**
   * Sees that a directory is of that format, or empty; changes nothing.
   *
   * @throws EngineOpenException as {@link #claim}
   */
  static void check(Path directory, Format format) {
    Path file = directory.resolve(NAME);
    try {
      if (Files.exists(file)) {
        check(directory, Files.readString(file).strip(), format);
      } else if (!isEmpty(directory)) {
        throw new OtherEngineException(
            directory,
            "directory "
                + directory
                + " is not empty, and has no file \"engine\" that says of which kind it is: it is"
                + " of an earlier release, or no engine's; "
                + REMEDY);
      }
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static EngineOpenException unusable(Path directory, IOException cause) {
    return new EngineOpenException(
        directory, "cannot use directory " + directory + " for an engine: " + cause, cause);
  }

  private static void check(Path directory, String found, Format format) {
    if (!found.equals(format.line())) {
      throw new OtherEngineException(
          directory,
          "directory "
              + directory
              + " holds an engine \""
              + found
              + "\", not \""
              + format.line()
              + "\"; "
              + REMEDY);
    }
  }

  /**
   * But for what a crash left that came before the file had its name, and what a store made that
   * never opened.
   */
  private static boolean isEmpty(Path directory) throws IOException {
    List<Path> files = entries(directory);
    for (Path file : files) {
      boolean isOfNone = OF_NONE.contains(String.valueOf(file.getFileName()));
      if (!isOfNone && !(file.endsWith(HeldDirectory.DATA) && entries(file).isEmpty())) {
        return false;
      }
    }
    return true;
  }

  private static List<Path> entries(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static void write(Path file, Format format) throws IOException {
    Path fresh = file.resolveSibling(FRESH);
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap((format.line() + "\n").getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
