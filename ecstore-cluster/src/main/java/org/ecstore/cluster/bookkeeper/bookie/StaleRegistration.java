package org.ecstore.cluster.bookkeeper.bookie;

import org.apache.bookkeeper.discover.BookieServiceInfo;
import org.apache.zookeeper.KeeperException;
import org.ecstore.cluster.bookkeeper.metadata.MetadataZooKeeper;

/**
 * Takes back what a bookie that was killed has left in ZooKeeper: its registration stands until the
 * session of the dead process expires, and BookKeeper waits for that before it starts the next.
 * That is for nothing where the dead can be told from the living, so that a node is back some
 * seconds sooner.
 */
final class StaleRegistration {
  private StaleRegistration() {}

  /**
   * Deletes a registration if it certainly is of a process that is gone. The caller holds the lock
   * of the bookie's directory, has found there the cookie that ZooKeeper has for this id, and that
   * no process listens on its port: so if the registration names this very address, its owner was
   * the last one to hold this directory. One of another address may be of a bookie that lives on a
   * copy of it, and is left alone.
   */
  static void remove(MetadataZooKeeper zooKeeper, BookieSettings settings)
      throws KeeperException, InterruptedException {
    if (of(zooKeeper, settings) == Owner.THIS_ADDRESS) {
      zooKeeper.removeRegistration(settings.id());
    }
  }

  /** Whose registration there is. */
  enum Owner {
    NONE,
    /** It names the host and port of this bookie. */
    THIS_ADDRESS,
    ANOTHER
  }

  /** Whose registration there is for the id of a bookie. */
  static Owner of(MetadataZooKeeper zooKeeper, BookieSettings settings)
      throws KeeperException, InterruptedException {
    if (!zooKeeper.isRegistered(settings.id())) {
      return Owner.NONE;
    }
    boolean isOurs =
        zooKeeper
            .registration(settings.id())
            .map(BookieServiceInfo::getEndpoints)
            .filter(
                endpoints ->
                    endpoints.stream()
                        .anyMatch(
                            each ->
                                each.getHost().equals(settings.host())
                                    && each.getPort() == settings.port()))
            .isPresent();
    return isOurs ? Owner.THIS_ADDRESS : Owner.ANOTHER;
  }
}
