package org.ecstore.bench.peer.echo;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.bench.peer.local.PeerClients;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.client.net.NettyConnector;
import org.ecstore.client.spi.NodeConnection;

/** Clients that share one connection, as those of ecStore do. */
final class EchoClients implements PeerClients {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);

  private record Open(NettyConnector connector, NodeConnection connection) {}

  private final String address;
  private Optional<Open> open = Optional.empty();

  EchoClients(String address) {
    this.address = address;
  }

  @Override
  public synchronized BenchDb client() {
    if (open.isEmpty()) {
      NettyConnector connector = new NettyConnector(List.of(address), CONNECT_WITHIN);
      open = Optional.of(new Open(connector, connector.connect(address)));
    }
    return new EchoDb(open.get().connection());
  }

  @Override
  public Map<String, String> settings() {
    return Map.of("version", "Netty, one event loop", "durability", "none: it keeps nothing");
  }

  @Override
  public synchronized void close() {
    open.ifPresent(one -> one.connector().close());
    open = Optional.empty();
  }
}
