package org.ecstore.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ecstore.client.net.NettyConnector;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.EmbeddedStoreProvider;
import org.ecstore.client.spi.NodeConnection;

/**
 * {@code EcStore.open} on a Java that is too old for a node: the node runs on a newer one of this
 * machine, as a process of its own with a port on the loopback address, and ends with the store or
 * with this process. For the tests of applications on Java 17.
 */
public final class StoreOnAnotherJava implements EmbeddedStoreProvider {
  private static final String MAIN = "org.ecstore.server.StoreProcess";
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

  @Override
  public boolean worksHere() {
    return Runtime.version().feature() < NewerJava.NEEDED;
  }

  @Override
  public Connector open(Path directory) {
    ProcessOnAnotherJava process = ProcessOnAnotherJava.start(MAIN, directory);
    return new ChildConnector(
        process, new NettyConnector(List.of(process.addresses()), CONNECT_TIMEOUT));
  }

  /** The way to the node in the other process; closing it ends the process. */
  private record ChildConnector(ProcessOnAnotherJava node, NettyConnector network)
      implements Connector {
    @Override
    public List<String> seeds() {
      return network.seeds();
    }

    @Override
    public NodeConnection connect(String address) {
      return network.connect(address);
    }

    @Override
    public NodeConnection connect(String address, String application) {
      return network.connect(address, application);
    }

    @Override
    public void close() {
      network.close();
      node.close();
    }
  }
}
