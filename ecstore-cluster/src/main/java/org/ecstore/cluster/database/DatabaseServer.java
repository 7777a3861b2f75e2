package org.ecstore.cluster.database;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.ecstore.check.Check;
import org.jspecify.annotations.Nullable;

/**
 * A database server on the loopback address, with its data in a directory: it may be ended and
 * started again, on the same port. Not for several threads at once.
 */
public final class DatabaseServer implements AutoCloseable {
  private static final Duration SERVE_WITHIN = Duration.ofMinutes(1);
  private static final Duration END_WITHIN = Duration.ofSeconds(30);

  private final String address;
  private final Path home;
  private final List<String> command;
  private @Nullable ServerProcess process;

  DatabaseServer(String address, Path home, List<String> command) {
    this.address = address;
    this.home = home;
    this.command = List.copyOf(command);
  }

  /** Where it serves, as {@code host:port}. */
  public String address() {
    return address;
  }

  /** What starts it. */
  public List<String> command() {
    return command;
  }

  /** With all that it stores. */
  public Path home() {
    return home;
  }

  /** Its process, once it has been started. */
  public ServerProcess process() {
    ServerProcess started = process;
    Check.that(started != null, "the server has been started");
    if (started == null) {
      throw new IllegalStateException();
    }
    return started;
  }

  /** Starts its process, which does not serve yet. */
  public ServerProcess begin() throws ServerUnavailableException {
    try {
      ServerProcess started =
          ServerProcess.start(command, home, home.resolve("server.log"), Map.of());
      process = started;
      return started;
    } catch (IOException e) {
      throw new ServerUnavailableException("it cannot be started: " + e.getMessage(), e);
    }
  }

  /** Starts it, and returns when it serves. If it does not, no process of it is left. */
  public void start() throws ServerUnavailableException, InterruptedException {
    ServerProcess started = begin();
    boolean serves = false;
    try {
      Loopback.awaitListening(address, List.of(started), SERVE_WITHIN);
      serves = true;
    } finally {
      if (!serves) {
        started.kill();
      }
    }
  }

  /** Ends it, orderly if it does so in time. */
  @Override
  public void close() {
    ServerProcess started = process;
    if (started == null) {
      return;
    }
    try {
      started.beginEnd();
      started.awaitEnd(END_WITHIN);
    } catch (IOException _) {
      started.kill();
    } catch (InterruptedException _) {
      started.kill();
      Thread.currentThread().interrupt();
    }
  }
}
