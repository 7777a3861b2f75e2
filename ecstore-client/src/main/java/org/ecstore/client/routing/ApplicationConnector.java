package org.ecstore.client.routing;

import java.util.List;
import java.util.Optional;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;

/**
 * The way of one application's requests: each connection says whose it is. Closing it closes the
 * way of all.
 *
 * @param all the way of all applications of a store
 */
public record ApplicationConnector(Connector all, String application) implements Connector {
  /** The way itself if there is no name to say. */
  public static Connector of(Connector all, Optional<String> application) {
    return application.<Connector>map(name -> new ApplicationConnector(all, name)).orElse(all);
  }

  @Override
  public List<String> seeds() {
    return all.seeds();
  }

  @Override
  public NodeConnection connect(String address) {
    return all.connect(address, application);
  }

  @Override
  public NodeConnection connect(String address, String other) {
    return all.connect(address, other);
  }

  @Override
  public void close() {
    all.close();
  }
}
