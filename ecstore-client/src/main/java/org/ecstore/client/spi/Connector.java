package org.ecstore.client.spi;

import java.util.List;

/**
 * The way from a client to its nodes. The client closes it with the store. Safe for use by several
 * threads.
 */
public interface Connector extends AutoCloseable {
  /** Addresses to ask first, before any range's home is known; at least one. */
  List<String> seeds();

  /**
   * A connection to the node at an address. Returns at once: a connection is made when it is first
   * used and again after it broke. The client asks once for each address.
   */
  NodeConnection connect(String address);

  /**
   * As {@link #connect(String)}, of the requests of one application: the node is told its name
   * ({@link org.ecstore.client.EcStoreOptions#application}, {@link
   * org.ecstore.client.Session#application}). The client asks once for each address and
   * application. A connector that does not tell applications apart leaves the name out.
   */
  default NodeConnection connect(String address, String application) {
    return connect(address);
  }

  /** Closes every connection. Calls on their way fail; closing again does nothing. */
  @Override
  void close();
}
