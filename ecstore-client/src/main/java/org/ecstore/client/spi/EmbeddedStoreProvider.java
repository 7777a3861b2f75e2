package org.ecstore.client.spi;

import java.nio.file.Path;

/**
 * Opens a store in this JVM, or beside it. The artifact ecstore-embedded brings them along; {@code
 * EcStore.open} finds them through {@link java.util.ServiceLoader} and takes the first that works.
 */
public interface EmbeddedStoreProvider {
  /**
   * Starts a node on a directory, which is made if it is not there, and returns once the node
   * serves. Closing the connector stops the node.
   *
   * @throws org.ecstore.client.error.UnavailableException if another process has the directory open
   *     or its content cannot be read
   */
  Connector open(Path directory);

  /** Whether it can do so on this Java; if not, the next provider is asked. */
  default boolean worksHere() {
    return true;
  }
}
