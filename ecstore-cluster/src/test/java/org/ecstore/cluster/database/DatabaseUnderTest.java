package org.ecstore.cluster.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A server for all tests of a JVM, which use it by turns: some kill it. Ends with the JVM. */
public abstract class DatabaseUnderTest {
  private final DatabaseServer server;

  /** Makes one with its data in a directory, which is not there yet. */
  @FunctionalInterface
  protected interface Making {
    DatabaseServer in(Path home) throws Exception;
  }

  /**
   * Makes one anew and starts it.
   *
   * @param name of its directory below {@code target}
   * @throws IllegalStateException if it cannot be started
   */
  protected DatabaseUnderTest(String name, Making making) {
    try {
      Path home = Path.of("target", name).toAbsolutePath();
      delete(home);
      server = making.in(home);
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("no " + name + " for these tests", e);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** Where it serves, {@code host:port}. */
  public final String address() {
    return server.address();
  }

  /** With all that it stores. */
  public final Path home() {
    return server.home();
  }

  /** SIGSTOP. */
  public final void pause() throws Exception {
    server.process().pause();
  }

  /** SIGCONT. */
  public final void resume() throws Exception {
    server.process().resume();
  }

  /** SIGKILL, and a new process on the same data. */
  public final void kill() throws Exception {
    server.process().kill();
    server.start();
  }

  /** As {@link #kill}, of a call that must not fail. */
  public final void killNow() {
    try {
      kill();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
