package org.ecstore.client;

import java.util.List;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;

/** A connector that tells nodes of no application. */
record NamelessConnector(Connector all) implements Connector {
  @Override
  public List<String> seeds() {
    return all.seeds();
  }

  @Override
  public NodeConnection connect(String address) {
    return all.connect(address);
  }

  @Override
  public void close() {
    all.close();
  }
}
