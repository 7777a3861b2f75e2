package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.client.net.AddressList;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.DirectoryLock;

/**
 * The port that clients ask where they are told none, for one new cluster of this machine: of those
 * that are made at the same time one alone gets it, though none listens there yet. Held until its
 * nodes serve.
 */
final class UsualPort implements AutoCloseable {
  private final Optional<DirectoryLock> lock;
  private final Optional<Integer> port;

  private UsualPort(Optional<DirectoryLock> lock, Optional<Integer> port) {
    this.lock = lock;
    this.port = port;
  }

  /** Tries to get it for this user. */
  static UsualPort claim() {
    return claim(
        AddressList.DEFAULT_PORT,
        Path.of(System.getProperty("user.home"), ".cache", "ecstore", "usual-port"));
  }

  /** As above, among those who know each other by a directory. */
  static UsualPort claim(int usual, Path directory) {
    Optional<Integer> port = Optional.of(usual).filter(FreePorts::isFree);
    try {
      return new UsualPort(Optional.of(DirectoryLock.acquire(directory)), port);
    } catch (DirectoryInUseException e) {
      return new UsualPort(Optional.empty(), Optional.empty());
    } catch (IOException e) {
      // Without a place for the lock two that begin at once may meet; the second then says so.
      return new UsualPort(Optional.empty(), port);
    }
  }

  /** The port, unless it is another's. */
  Optional<Integer> port() {
    return port;
  }

  /** Lets another have it, where no process listens on it by then. */
  @Override
  public void close() {
    lock.ifPresent(DirectoryLock::close);
  }
}
