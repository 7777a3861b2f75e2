package org.ecstore.client.spi;

import java.nio.file.Path;

/**
 * Opens a store in this JVM. The server artifact has one; {@code EcStore.open} finds it through
 * {@link java.util.ServiceLoader}.
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
}
