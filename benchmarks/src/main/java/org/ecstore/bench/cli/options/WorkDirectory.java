package org.ecstore.bench.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.terminal.BadInputException;

/**
 * A directory that a command makes for its clusters, and deletes when they are of no use any more.
 * A file in it says so: one without that file is not the command's, and stays as it is.
 */
public final class WorkDirectory {
  /** Before all other names that are in one, as what is last in their order is deleted first. */
  static final String MARK = ".made-by-ecstore";

  private final Path path;

  /** One that need not be there. */
  public WorkDirectory(Path path) {
    this.path = path;
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** Whether it is there, and a command has made it. */
  public boolean isOwn() {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
        && Files.isRegularFile(path.resolve(MARK), LinkOption.NOFOLLOW_LINKS);
  }

  /** What keeps a command from making it; empty if it is not there, empty, or its own. */
  public Optional<String> wrong() throws IOException {
    return !Files.exists(path, LinkOption.NOFOLLOW_LINKS) || isOwn() || isEmpty()
        ? Optional.empty()
        : Optional.of(path + whatItIs());
  }

  private String whatItIs() {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      String kind = Files.isSymbolicLink(path) ? " is a link" : " is a file";
      return kind + ", and not a directory of this command: move it, or give another --out";
    }
    return " is there, and has no mark of this build: end what runs in it (bin/ecstore cluster down"
        + " --dir %s, or a directory in it), then remove it; or give another --out".formatted(path);
  }

  private boolean isEmpty() throws IOException {
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.findAny().isEmpty();
    }
  }

  /**
   * Makes it, where it is not there.
   *
   * @throws BadInputException if there is another one
   */
  public void make() throws IOException {
    Optional<String> wrong = wrong();
    if (wrong.isPresent()) {
      throw new BadInputException(wrong.get());
    }
    Files.createDirectories(path);
    if (!isOwn()) {
      Files.writeString(
          path.resolve(MARK), "A command has made this directory, and may delete it.\n");
    }
  }

  /** Deletes it with all that is in it, if a command has made it. */
  public void delete() throws IOException {
    if (isOwn()) {
      TemporaryDirectory.delete(path);
    }
  }
}
